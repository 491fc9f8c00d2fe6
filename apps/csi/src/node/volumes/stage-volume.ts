import { stat } from 'node:fs/promises';
import { release } from 'node:os';
import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, diskSizeBytes } from '@vdo/linux-disks/disk';
import { type DiskHandle, openDisk } from '@vdo/linux-disks/disk-handle';
import { diskOfMount, hasOwnNumber } from '@vdo/linux-disks/disk-of-mount';
import { findSignOfUse } from '@vdo/linux-disks/disk-signs';
import { checkFileSystem, growFileSystem, makeFileSystem } from '@vdo/linux-disks/file-system';
import { attachedUuids } from '@vdo/linux-disks/find-disk';
import { clearFormatMark, hasFormatMark } from '@vdo/linux-disks/format-mark';
import { mountProblem } from '@vdo/linux-disks/mount-health';
import { isReadOnly, type MountEntry } from '@vdo/linux-disks/mount-table';
import { type DiskContent, isExtUnused, probeDisk } from '@vdo/linux-disks/probe-disk';
import { decideFormat, type FormatDecision } from './decide-format.ts';
import { assertShownAs, mountsElsewhere } from './disk-mounts.ts';
import type { NodeVolumeAccess, NodeVolumeDeps } from './node-volumes.ts';
import type { PublishedDisk } from './volume-contexts.ts';

export interface StageRequest {
  readonly stagingPath: string;
  readonly access: NodeVolumeAccess;
  readonly disk: PublishedDisk;
  readonly blank: boolean | undefined;
}

const occupied = (path: string, entry: MountEntry, disk: Disk): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `${entry.source} is already mounted at ${path}, expected ${disk.path}`,
    remedy: `Find out which program mounted it. After umount ${path} on the node the volume can be mounted.`,
    retry: 'on-change',
  });

const differs = (path: string, entry: MountEntry, readOnly: boolean): VdoError =>
  new VdoError({
    code: 'VolumeConflict',
    message: `${path} is mounted ${isReadOnly(entry) ? 'read-only' : 'read-write'}, but ${readOnly ? 'read-only' : 'read-write'} was requested`,
    remedy: 'Pods on this node use the volume with another access mode. Wait until they have ended.',
  });

const unwellInUse = (path: string, problem: string, others: readonly MountEntry[]): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `the file system at ${path} ${problem}, and ${others.map(({ target }) => target).join(', ')} still use it`,
    remedy:
      'Delete the pods that use the volume. After the last one has ended, the file system is checked and mounted again.',
  });

const noFolder = (path: string, seen: string): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `the staging path ${path} ${seen}, expected a directory created by the kubelet`,
    remedy: `Inspect it with ls -ld ${path} on the node. The kubelet creates it again when the pod is deleted and re-created.`,
  });

const mountedWrong = (path: string, seen: string, remedy: string): VdoError =>
  new VdoError({ code: 'NodeMountFailed', message: `${path} was unmounted again: ${seen}`, remedy });

const mountOptions = (fsType: string, { mountFlags, readOnly }: NodeVolumeAccess): readonly string[] => [
  ...(readOnly && !mountFlags.includes('ro') ? ['ro'] : []),
  // The file system of a restored snapshot has the same UUID as its original, which may be mounted on the same node.
  ...(fsType === 'xfs' && !mountFlags.includes('nouuid') ? ['nouuid'] : []),
  ...mountFlags,
];

const assertFolder = async (path: string): Promise<void> => {
  const kind = await stat(path).catch((error: { readonly code?: string }) => error.code ?? 'cannot be read');
  if (typeof kind === 'string') throw noFolder(path, kind === 'ENOENT' ? 'does not exist' : `cannot be read (${kind})`);
  if (!kind.isDirectory()) throw noFolder(path, 'is not a directory');
};

/** True if the volume is mounted at the staging path and healthy. A dead mount there is unmounted. */
const isStaged = async (
  disk: DiskHandle,
  { stagingPath, access }: StageRequest,
  deps: NodeVolumeDeps,
  mounted: MountEntry,
): Promise<boolean> => {
  const { signal } = disk;
  const current = await diskOfMount(mounted, deps);
  // A mount that never had a disk cannot have lost it.
  const isForeign = !current && hasOwnNumber(mounted) && mounted.fsType !== 'btrfs';
  if (isForeign || (current && current.number !== disk.number)) throw occupied(stagingPath, mounted, disk);
  const problem = await mountProblem(mounted, { ...deps, signal });
  if (problem === undefined) {
    if (isReadOnly(mounted) !== access.readOnly) throw differs(stagingPath, mounted, access.readOnly);
    return true;
  }
  const others = current ? await mountsElsewhere(await deps.mounter.list({ signal }), disk, stagingPath) : [];
  if (others.length > 0) throw unwellInUse(stagingPath, problem, others);
  // A disk that was detached and attached again is a new device. The mount of the old one is dead and would hide the new one.
  await deps.mounter.unmount(stagingPath, { signal });
  return false;
};

/** Mounts the disk and checks whether the kernel did what was requested. */
const mountDisk = async (
  disk: DiskHandle,
  fsType: string,
  { stagingPath, access }: StageRequest,
  deps: NodeVolumeDeps,
): Promise<void> => {
  const { mounter } = deps;
  const { signal, path: source } = disk;
  await disk.assertSame();
  await mounter.mount({ source, target: stagingPath, fsType, options: mountOptions(fsType, access) }, { signal });
  const mounted = await mounter.at(stagingPath, { signal });
  const current = mounted && (await diskOfMount(mounted, deps));
  const undo = async (seen: string, remedy: string) => {
    await mounter.unmount(stagingPath, { signal });
    throw mountedWrong(stagingPath, seen, remedy);
  };
  if (!mounted || current?.number !== disk.number)
    await undo(`${mounted?.source ?? 'nothing'} was mounted there, expected ${source}`, 'The kubelet retries.');
  if (mounted && isReadOnly(mounted) && !access.readOnly)
    await undo(
      `the kernel mounted ${source} read-only, but read-write was requested`,
      `Check whether the disk is write-protected: blockdev --getro ${source} and dmesg on the node.`,
    );
};

/** From here on the disk counts as used: this is recorded before anything can write to it. */
const rememberUse = async ({ diskUuid }: DiskHandle, deps: NodeVolumeDeps): Promise<void> =>
  deps.usedDisks?.remember(diskUuid, () => attachedUuids(deps));

const stageMount = async (disk: DiskHandle, request: StageRequest, deps: NodeVolumeDeps): Promise<void> => {
  const { stagingPath, access } = request;
  const { signal } = disk;
  // A copy may be larger than its original, so its file system has to be expanded here.
  const growCopy = async (fsType: string): Promise<void> => {
    if (request.blank === false && !access.readOnly)
      await growFileSystem({ disk, fsType, mountPath: stagingPath }, { ...deps, signal });
  };
  const mounted = await deps.mounter.at(stagingPath, { signal });
  // An earlier attempt may have been interrupted after the mount.
  if (mounted && (await isStaged(disk, request, deps, mounted))) return growCopy(mounted.fsType);
  await assertFolder(stagingPath);
  assertShownAs('files', await mountsElsewhere(await deps.mounter.list({ signal }), disk, stagingPath), disk);
  const claimed = await disk.isClaimed();
  const decision = await decide(disk, request, deps, claimed);
  if (decision.action === 'format')
    await makeFileSystem(disk, {
      ...decision,
      sizeBytes: await diskSizeBytes(disk, deps),
      kernelRelease: deps.kernelRelease ?? release(),
    });
  // A file system that is also mounted elsewhere was checked then, and must not be checked while it is mounted.
  else if (!access.readOnly && !claimed) await checkFileSystem(disk, decision.fsType);
  await rememberUse(disk, deps);
  await mountDisk(disk, decision.fsType, request, deps);
  return growCopy(decision.fsType);
};

/** Mounts a volume's file system at one path of this node. For raw devices, only checks that the device exists. */
export const stageVolume = async (asked: StageRequest, deps: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  const stagingPath = await deps.mounter.place(asked.stagingPath, { signal });
  const request = { ...asked, stagingPath };
  const { diskUuid } = request.disk;
  const disk = await openDisk(diskUuid, {
    ...deps,
    signal,
    ...(deps.diskTimeoutMs === undefined ? {} : { timeoutMs: deps.diskTimeoutMs }),
  });
  try {
    await deps.stagedDisks?.remember(stagingPath, diskUuid);
    if (request.access.kind === 'mount') await stageMount(disk, request, deps);
    else await rememberUse(disk, deps);
  } finally {
    await disk.close();
  }
};

/** Handles the remains of this driver's mkfs: a complete file system is kept, unless it is certain that it was never used. */
const afterInterruption = async (disk: DiskHandle, content: DiskContent, sizeBytes: bigint): Promise<DiskContent> => {
  if (content.kind !== 'file-system') return content;
  if (content.fsType.startsWith('ext') && (await isExtUnused(disk)))
    return { kind: 'unfinished', fsType: content.fsType };
  await clearFormatMark(disk, sizeBytes);
  return content;
};

const decide = async (
  disk: DiskHandle,
  { access, blank, disk: { diskUuid, expectedBytes, firstUse } }: StageRequest,
  deps: NodeVolumeDeps,
  claimed: boolean,
): Promise<FormatDecision> => {
  const sizeBytes = await diskSizeBytes(disk, deps);
  const found = await probeDisk(disk);
  // If the disk is used exclusively, it is mounted, and the mark was removed before.
  const marked = !claimed && (await hasFormatMark(disk, sizeBytes));
  const content = marked ? await afterInterruption(disk, found, sizeBytes) : found;
  const unknown = content.kind === 'nothing' && !marked;
  // The volume context says forever that the volume was created empty, and the publish context says until the next attachment that this is the first one.
  const neverUsed = blank === true && firstUse && (await deps.usedDisks?.has(diskUuid)) === false;
  return decideFormat({
    device: disk.path,
    content,
    wanted: access.fsType,
    blank,
    marked,
    signAt: unknown ? await findSignOfUse(disk, sizeBytes, { neverUsed }) : undefined,
    claimed,
    readOnly: access.readOnly,
    sizeBytes,
    expectedBytes,
  });
};
