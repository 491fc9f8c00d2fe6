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
    remedy: 'The kubelet stages the volume again by itself; if not, delete the pod.',
  });

const stagedOther = (path: string, entry: MountEntry, disk: Disk): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `the staging path ${path} has ${entry.source} mounted, expected ${disk.path}: it is another volume's`,
    remedy: `Nothing was shown to the pod. Find out who mounted it; umount ${path} on the node lets the volume be staged again.`,
  });

const unwell = (path: string, problem: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `the file system at ${path} ${problem}`,
    remedy:
      'Delete the pods that use the volume: once the last one has ended it is checked and mounted anew. dmesg on the node tells what happened.',
  });

const wrongKind = (path: string, seen: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `the target path ${path} cannot be made: ${seen}`,
    remedy: `Look at it with ls -ld ${path} on the node; remove it if nothing needs it. It is tried again.`,
  });

/** The kernel's reason instead of its bare code. */
const orWrongKind =
  (path: string) =>
  (error: unknown): never => {
    const { code } = error as { readonly code?: unknown };
    if (code === 'EEXIST' || code === 'ENOTDIR') throw wrongKind(path, 'there is a file, expected a folder');
    if (code === 'EISDIR') throw wrongKind(path, 'there is a folder, expected the file that stands for a device');
    throw error;
  };

const changedHands = (path: string, disk: Disk): VdoError =>
  new VdoError({
    code: 'NodeDiskChanged',
    message: `${path} was unmounted again: ${disk.path} became another disk while it was mounted there`,
    remedy: 'Disks come and go on this node. It is tried again and looks for the disk anew.',
  });

const notShown = (stagingPath: string, targetPath: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `${targetPath} was unmounted again: it did not show the volume, which was taken from ${stagingPath} while it was mounted there`,
    remedy:
      'Somebody else unmounts volumes of this node. The kubelet stages the volume again by itself; if not, delete the pod.',
  });

const nested = (stagingPath: string, targetPath: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `the target path ${targetPath} and the staging path ${stagingPath} lie within each other`,
    remedy: 'Use a target path of its own: one within the volume would write to it, one around it would hide it.',
  });

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

export const makeTargetFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o750 }).catch(orWrongKind(path));
};

export const mountedOtherwise = (path: string, entry: MountEntry): VdoError =>
  new VdoError({
    code: 'VolumeConflict',
    message: `${path} is mounted ${isReadOnly(entry) ? 'read-only' : 'read-write'} already`,
    remedy: 'Unpublish it first.',
  });

export const takenBy = (path: string): VdoError =>
  new VdoError({
    code: 'VolumeAttachedElsewhere',
    message: `the volume is for one pod only, and ${path} has it`,
    remedy: 'It is tried again until that pod has ended.',
  });

/** Refuses a second target of a volume that allows only one; `isOfVolume` tells which of all mounts are of the volume. */
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

/** True if the target shows what it should. A right to write that it should not have was left by a call that was cut short, and is taken. */
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
  // Left over from a volume that is gone.
  if (mounted) await mounter.unmount(targetPath, { signal });
  await makeTargetFolder(targetPath);
  const options = access.readOnly ? ['ro'] : [];
  await mounter.mount({ source: stagingPath, target: targetPath, fsType: 'bind', options }, { signal });
  const bound = await mounter.at(targetPath, { signal });
  if (bound?.device === staged.device && bound.root === staged.root) return;
  if (bound) await mounter.unmount(targetPath, { signal });
  throw notShown(stagingPath, targetPath);
};

/** The name was bound, and names change hands: what counts is the device that the target leads to now. */
const isOfDisk = async (
  bound: MountEntry,
  { disk: { diskUuid } }: PublishRequest,
  disk: Disk,
  deps: NodeVolumeDeps,
): Promise<boolean> => {
  const device = await shownDevice(bound);
  // Where mounts are simulated, files stand for devices.
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
  // Left over from a volume that is gone.
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

/** Shows a staged volume to one pod: a bind mount of its files, or of its device. */
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
