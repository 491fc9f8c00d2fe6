import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import { isCorrupt } from '@vdo/linux-disks/corrupt-mount';
import { findDisk } from '@vdo/linux-disks/find-disk';
import { isReadOnly, type MountEntry } from '@vdo/linux-disks/mount-table';
import type { NodeVolumeAccess, NodeVolumeDeps } from './node-volumes.ts';
import type { PublishedDisk } from './volume-contexts.ts';

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

/** Refuses a second target of a volume that allows only one. */
const assertFree = async (
  request: PublishRequest,
  isSame: (entry: MountEntry) => boolean,
  { mounter }: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<void> => {
  if (!request.access.exclusive) return;
  const own = [request.stagingPath, request.targetPath];
  const other = (await mounter.list({ signal })).find((entry) => isSame(entry) && !own.includes(entry.target));
  if (other) throw takenBy(other.target);
};

const publishMount = async (request: PublishRequest, deps: NodeVolumeDeps, signal: AbortSignal) => {
  const { mounter } = deps;
  const { stagingPath, targetPath, access } = request;
  const staged = await mounter.at(stagingPath, { signal });
  if (!staged) throw notStaged(stagingPath);
  const mounted = await mounter.at(targetPath, { signal });
  if (mounted && mounted.device === staged.device && !(await isCorrupt(targetPath))) {
    if (isReadOnly(mounted) !== (access.readOnly || isReadOnly(staged))) throw mountedOtherwise(targetPath, mounted);
    return;
  }
  await assertFree(request, ({ device }) => device === staged.device, deps, signal);
  // Left over from a volume that is gone, or broken.
  if (mounted) await mounter.unmount(targetPath, { signal });
  await mkdir(targetPath, { recursive: true, mode: 0o750 });
  const options = access.readOnly ? ['ro'] : [];
  await mounter.mount({ source: stagingPath, target: targetPath, fsType: 'bind', options }, { signal });
};

const publishDevice = async (request: PublishRequest, deps: NodeVolumeDeps, signal: AbortSignal) => {
  const { targetPath, access } = request;
  const disk = await findDisk(request.disk.diskUuid, { ...deps, signal });
  const mounted = await deps.mounter.at(targetPath, { signal });
  if (mounted && mounted.root === `/${disk.name}`) {
    if (isReadOnly(mounted) !== access.readOnly) throw mountedOtherwise(targetPath, mounted);
    return;
  }
  // Left over from a volume that is gone.
  if (mounted) await deps.mounter.unmount(targetPath, { signal });
  await assertFree(request, ({ root }) => root === `/${disk.name}`, deps, signal);
  await mkdir(dirname(targetPath), { recursive: true, mode: 0o750 });
  await (await open(targetPath, 'a', 0o660)).close();
  const options = access.readOnly ? ['ro'] : [];
  await deps.mounter.mount({ source: disk.path, target: targetPath, fsType: 'bind', options }, { signal });
};

/** Shows a staged volume to one pod: a bind mount of its files, or of its device. */
export const publishVolume = (request: PublishRequest, deps: NodeVolumeDeps, signal: AbortSignal): Promise<void> =>
  request.access.kind === 'block' ? publishDevice(request, deps, signal) : publishMount(request, deps, signal);
