import { VdoError } from '@vdo/base/vdo-error';
import { isReadOnly, type MountEntry } from '@vdo/linux-disks/mount-table';
import { networkLimitMs } from '@vdo/linux-disks/mounter';
import type { NodeVolumeAccess, NodeVolumeDeps } from './node-volumes.ts';
import { makeTargetFolder, mountedOtherwise, takenBy } from './publish-volume.ts';
import type { PublishedShare } from './volume-contexts.ts';

export interface PublishShareRequest {
  readonly targetPath: string;
  readonly access: NodeVolumeAccess;
  readonly share: PublishedShare;
}

/** The same mount options as in the Go driver: vSAN file services use NFS 4.1 with system authentication. */
const shareOptions = ['hard', 'sec=sys', 'vers=4', 'minorversion=1'] as const;

const noDevice = (path: string): VdoError =>
  new VdoError({
    code: 'VolumeCapabilityUnsupported',
    message: `a raw device was requested at ${path}, but the volume is a file share`,
    remedy: 'Use volumeMode: Filesystem for volumes that several nodes share.',
  });

const answers = async (path: string, { run }: NodeVolumeDeps, signal: AbortSignal): Promise<boolean> => {
  const options = { signal, limitMs: networkLimitMs };
  return (await run('stat', ['--format=%i', path], options)).exitCode === 0;
};

/** Mounts a file share for one pod. */
export const publishShare = async (
  { targetPath: asked, access, share: { accessPoint } }: PublishShareRequest,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<void> => {
  const { mounter } = deps;
  if (access.kind === 'block') throw noDevice(asked);
  const targetPath = await mounter.place(asked, { signal });
  const isSame = ({ source }: MountEntry): boolean => source === accessPoint;
  const mounted = await mounter.at(targetPath, { signal });
  if (mounted && isSame(mounted) && (await answers(targetPath, deps, signal))) {
    if (isReadOnly(mounted) !== access.readOnly) throw mountedOtherwise(targetPath, mounted);
    return;
  }
  // Left from another volume, or its server was replaced.
  if (mounted) await mounter.unmount(targetPath, { signal });
  const other = access.exclusive ? (await mounter.list({ signal })).find(isSame) : undefined;
  if (other) throw takenBy(other.target);
  await makeTargetFolder(targetPath);
  // The kernel uses the last flag: flags of the StorageClass may change how a share is mounted, but not the access mode.
  const options = [...shareOptions, ...access.mountFlags, ...(access.readOnly ? ['ro'] : [])];
  await mounter.mount({ source: accessPoint, target: targetPath, fsType: 'nfs4', options }, { signal });
};
