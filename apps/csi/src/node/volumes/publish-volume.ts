import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, numberOf } from '@vdo/linux-disks/disk';
import { diskOfMount } from '@vdo/linux-disks/disk-of-mount';
import { findDisk, isDiskOfUuid } from '@vdo/linux-disks/find-disk';
import { mountProblem } from '@vdo/linux-disks/mount-health';
import { doublesOf, isReadOnly, type MountEntry } from '@vdo/linux-disks/mount-table';
import { setDeviceAccess } from './device-access.ts';
import { assertShownAs, mountsOf } from './disk-mounts.ts';
import type { NodeVolumeAccess, NodeVolumeDeps } from './node-volumes.ts';
import type { PublishedDisk } from './volume-contexts.ts';
import { shownDevice } from './volume-stats.ts';

export interface PublishRequest {
  readonly stagingPath: string;
  readonly targetPath: string;
  readonly access: NodeVolumeAccess;
  readonly disk: PublishedDisk;
}

const notStaged = (path: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `nothing is mounted at the staging path ${path}`,
    remedy: 'The kubelet stages the volume again automatically. If it does not, delete the pod.',
  });

const stagedOther = (path: string, entry: MountEntry, disk: Disk): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `${entry.source} is mounted at the staging path ${path}, expected ${disk.path}: it belongs to another volume`,
    remedy: `The pod was given no access. Find out which program mounted it. After umount ${path} on the node the volume can be staged again.`,
  });

const unwell = (path: string, problem: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `the file system at ${path} ${problem}`,
    remedy:
      'Delete the pods that use the volume. After the last one has ended, the file system is checked and mounted again. See dmesg on the node for the cause.',
  });

const wrongKind = (path: string, seen: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `the target path ${path} cannot be created: ${seen}`,
    remedy: `Inspect it with ls -ld ${path} on the node, and remove it if it is not needed. The kubelet retries.`,
  });

/** The kernel's reason instead of its bare code. */
const orWrongKind =
  (path: string) =>
  (error: unknown): never => {
    const { code } = error as { readonly code?: unknown };
    if (code === 'EEXIST' || code === 'ENOTDIR') throw wrongKind(path, 'it is a file, expected a directory');
    if (code === 'EISDIR') throw wrongKind(path, 'it is a directory, expected a file to mount the device on');
    throw error;
  };

const changedHands = (path: string, disk: Disk): VdoError =>
  new VdoError({
    code: 'NodeDiskChanged',
    message: `${path} was unmounted again: ${disk.path} changed to another disk while it was being mounted there`,
    remedy:
      'Disks are being attached and detached on this node. The kubelet retries, and the driver searches for the disk again.',
  });

const notShown = (stagingPath: string, targetPath: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `${targetPath} was unmounted again: it did not contain the volume, because the volume was unmounted from ${stagingPath} at the same time`,
    remedy:
      'Another program unmounts volumes on this node. The kubelet stages the volume again automatically. If it does not, delete the pod.',
  });

const nested = (stagingPath: string, targetPath: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `the target path ${targetPath} and the staging path ${stagingPath} are nested`,
    remedy:
      'Use a separate target path. A target path inside the staging path would write to the volume, and one that contains the staging path would hide the volume.',
  });

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

export const makeTargetFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o750 }).catch(orWrongKind(path));
};

export const mountedOtherwise = (path: string, entry: MountEntry): VdoError =>
  new VdoError({
    code: 'VolumeConflict',
    message: `${path} is already mounted ${isReadOnly(entry) ? 'read-only' : 'read-write'}`,
    remedy: 'Unpublish the volume first.',
  });

export const takenBy = (path: string): VdoError =>
  new VdoError({
    code: 'VolumeAttachedElsewhere',
    message: `only one pod may use the volume (ReadWriteOncePod), and it is already mounted at ${path}`,
    remedy: 'The kubelet retries until that pod has ended.',
  });

/** Refuses a second target path of a volume that allows only one; `isOfVolume` selects the mounts of the volume. */
const assertFree = (
  { access, stagingPath, targetPath }: PublishRequest,
  all: readonly MountEntry[],
  isOfVolume: (entry: MountEntry) => boolean,
): void => {
  if (!access.exclusive) return;
  const own = [stagingPath, targetPath];
  const doubles = new Set(own.flatMap((path) => doublesOf(all, path)));
  const other = all.find((entry) => isOfVolume(entry) && !own.includes(entry.target) && !doubles.has(entry));
  if (other) throw takenBy(other.target);
};

/** True if the target has the expected mount. If it is writable but should be read-only, an earlier call was interrupted, and it is made read-only. */
const isPublished = async (
  { targetPath }: PublishRequest,
  mounted: MountEntry,
  readOnly: boolean,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<boolean> => {
  if (isReadOnly(mounted) && !readOnly) throw mountedOtherwise(targetPath, mounted);
  if (readOnly && !isReadOnly(mounted)) await deps.mounter.remountReadOnly(targetPath, { signal });
  return true;
};

const publishMount = async (request: PublishRequest, disk: Disk, deps: NodeVolumeDeps, signal: AbortSignal) => {
  const { mounter } = deps;
  const { stagingPath, targetPath, access } = request;
  const staged = await mounter.at(stagingPath, { signal });
  if (!staged) throw notStaged(stagingPath);
  if ((await diskOfMount(staged, deps))?.number !== disk.number) throw stagedOther(stagingPath, staged, disk);
  const problem = await mountProblem(staged, { ...deps, signal });
  if (problem) throw unwell(stagingPath, problem);
  const readOnly = access.readOnly || isReadOnly(staged);
  const mounted = await mounter.at(targetPath, { signal });
  const isSame = mounted?.device === staged.device && mounted.root === staged.root;
  if (mounted && isSame && (await isPublished(request, mounted, readOnly, deps, signal))) return;
  assertFree(request, await mounter.list({ signal }), ({ device }) => device === staged.device);
  // Left from a volume that no longer exists.
  if (mounted) await mounter.unmount(targetPath, { signal });
  await makeTargetFolder(targetPath);
  const options = access.readOnly ? ['ro'] : [];
  await mounter.mount({ source: stagingPath, target: targetPath, fsType: 'bind', options }, { signal });
  const bound = await mounter.at(targetPath, { signal });
  if (bound?.device === staged.device && bound.root === staged.root) return;
  if (bound) await mounter.unmount(targetPath, { signal });
  throw notShown(stagingPath, targetPath);
};

/** The mount was made by device name, and names can be reassigned. What counts is the device that the target refers to now. */
const isOfDisk = async (
  bound: MountEntry,
  { disk: { diskUuid } }: PublishRequest,
  disk: Disk,
  deps: NodeVolumeDeps,
): Promise<boolean> => {
  const device = await shownDevice(bound);
  // With simulated mounts, files represent devices.
  const isSame = device === undefined || numberOf(device) === disk.number;
  return isSame && isDiskOfUuid(disk.name, diskUuid, deps);
};

const publishDevice = async (request: PublishRequest, disk: Disk, deps: NodeVolumeDeps, signal: AbortSignal) => {
  const { targetPath, access } = request;
  const mounted = await deps.mounter.at(targetPath, { signal });
  const [shown] = await mountsOf(mounted ? [mounted] : [], disk);
  if (mounted && shown && (await isOfDisk(mounted, request, disk, deps))) {
    await isPublished(request, mounted, access.readOnly, deps, signal);
    return setDeviceAccess(disk, request, deps, signal);
  }
  // Left from a volume that no longer exists.
  if (mounted) await deps.mounter.unmount(targetPath, { signal });
  const all = await deps.mounter.list({ signal });
  const mounts = await mountsOf(all, disk);
  assertShownAs('device', mounts, disk);
  const targets = new Set(mounts.map(({ target }) => target));
  assertFree(request, all, ({ target }) => targets.has(target));
  await setDeviceAccess(disk, request, deps, signal);
  await makeTargetFolder(dirname(targetPath));
  const file = await open(targetPath, 'a', 0o660).catch(orWrongKind(targetPath));
  await file.close();
  const options = access.readOnly ? ['ro'] : [];
  await deps.mounter.mount({ source: disk.path, target: targetPath, fsType: 'bind', options }, { signal });
  const bound = await deps.mounter.at(targetPath, { signal });
  if (bound && (await isOfDisk(bound, request, disk, deps))) return undefined;
  if (bound) await deps.mounter.unmount(targetPath, { signal });
  throw changedHands(targetPath, disk);
};

/** Gives one pod access to a staged volume: a bind mount of its file system or of its device. */
export const publishVolume = async (
  asked: PublishRequest,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<void> => {
  const [stagingPath, targetPath] = [
    await deps.mounter.place(asked.stagingPath, { signal }),
    await deps.mounter.place(asked.targetPath, { signal }),
  ];
  if (isWithin(stagingPath, targetPath) || isWithin(targetPath, stagingPath)) throw nested(stagingPath, targetPath);
  const request = { ...asked, stagingPath, targetPath };
  const disk = await findDisk(request.disk.diskUuid, {
    ...deps,
    signal,
    ...(deps.diskTimeoutMs === undefined ? {} : { timeoutMs: deps.diskTimeoutMs }),
  });
  const publish = request.access.kind === 'block' ? publishDevice : publishMount;
  return publish(request, disk, deps, signal);
};
