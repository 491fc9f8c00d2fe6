import { mkdir } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { isCorrupt } from '@vdo/linux-disks/corrupt-mount';
import { type Disk, diskSizeBytes } from '@vdo/linux-disks/disk';
import { diskOfMount } from '@vdo/linux-disks/disk-of-mount';
import { checkFileSystem, growFileSystem, makeFileSystem } from '@vdo/linux-disks/file-system';
import { findDisk } from '@vdo/linux-disks/find-disk';
import { isReadOnly, type MountEntry } from '@vdo/linux-disks/mount-table';
import { endsAreZero, probeDisk } from '@vdo/linux-disks/probe-disk';
import { decideFormat, type FormatDecision } from './decide-format.ts';
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
    message: `${path} already has ${entry.source} mounted, expected ${disk.path}`,
    remedy: `Find out who mounted it; umount ${path} on the node lets the volume be mounted.`,
    retry: 'on-change',
  });

const differs = (path: string, entry: MountEntry, readOnly: boolean): VdoError =>
  new VdoError({
    code: 'VolumeConflict',
    message: `${path} is mounted ${isReadOnly(entry) ? 'read-only' : 'read-write'}, asked was ${readOnly ? 'read-only' : 'read-write'}`,
    remedy: 'The volume is used in another way on this node; wait until its pods have ended.',
  });

const mountOptions = (fsType: string, { mountFlags, readOnly }: NodeVolumeAccess): readonly string[] => [
  ...(readOnly ? ['ro'] : []),
  // A restored snapshot has the UUID of its original, which may be mounted on the same node.
  ...(fsType === 'xfs' && !mountFlags.includes('nouuid') ? ['nouuid'] : []),
  ...mountFlags,
];

/** Makes a volume's file system available below one path of this node; raw devices only have to be there. */
export const stageVolume = async (request: StageRequest, deps: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  const { stagingPath, access } = request;
  const { mounter } = deps;
  const options = { ...deps, signal };
  const disk = await findDisk(request.disk.diskUuid, {
    ...options,
    ...(deps.diskTimeoutMs === undefined ? {} : { timeoutMs: deps.diskTimeoutMs }),
  });
  if (access.kind === 'block') return;

  // A copy may have been made larger than its original, and nobody else will notice.
  const growCopy = async (copy: Disk, fsType: string): Promise<void> => {
    if (request.blank === false && !access.readOnly)
      await growFileSystem({ disk: copy, fsType, mountPath: stagingPath }, options);
  };
  const mounted = await mounter.at(stagingPath, { signal });
  if (mounted) {
    const broken = await isCorrupt(stagingPath);
    const current = broken ? undefined : await diskOfMount(mounted, deps);
    if (current && current.name !== disk.name) throw occupied(stagingPath, mounted, disk);
    if (current && isReadOnly(mounted) !== access.readOnly) throw differs(stagingPath, mounted, access.readOnly);
    // An earlier try may have got no further than the mount.
    if (current) return growCopy(disk, mounted.fsType);
    // A disk that went and came back is another device; the mount of the first one is dead and hides the second.
    await mounter.unmount(stagingPath, { signal });
  }
  const decision = await decide(disk, request, deps, signal);
  if (decision.action === 'format') await makeFileSystem(disk, decision.fsType, options);
  else if (!access.readOnly) await checkFileSystem(disk, decision.fsType, options);
  await mkdir(stagingPath, { recursive: true, mode: 0o750 });
  const { fsType } = decision;
  await mounter.mount(
    { source: disk.path, target: stagingPath, fsType, options: mountOptions(fsType, access) },
    { signal },
  );
  await growCopy(disk, fsType);
};

const decide = async (
  disk: Disk,
  { access, blank, disk: { expectedBytes } }: StageRequest,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<FormatDecision> => {
  const options = { ...deps, signal };
  const content = await probeDisk(disk, options);
  return decideFormat({
    device: disk.path,
    content,
    wanted: access.fsType,
    blank,
    endsAreZero: content.kind === 'nothing' && (await endsAreZero(disk, options)),
    readOnly: access.readOnly,
    sizeBytes: await diskSizeBytes(disk, deps),
    expectedBytes,
  });
};
