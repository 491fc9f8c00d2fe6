import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, diskFact } from '@vdo/linux-disks/disk';
import { isReadOnly, type MountEntry } from '@vdo/linux-disks/mount-table';
import { runOrThrow } from '@vdo/linux-disks/run-command';
import { mountsElsewhere } from './disk-mounts.ts';
import type { NodeVolumeDeps } from './node-volumes.ts';

const mixed = (disk: Disk, target: string, readOnly: boolean, { target: other }: MountEntry): VdoError =>
  new VdoError({
    code: 'VolumeConflict',
    message: `${target} requests ${disk.path} ${readOnly ? 'read-only' : 'read-write'}, but ${other} uses it ${readOnly ? 'read-write' : 'read-only'}: the access mode of a raw disk applies to all pods on a node`,
    remedy: 'Use the same access in all pods on the node, or wait until the other pod has ended.',
  });

const notProtected = ({ path }: Disk): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `${path} is still writable after blockdev --setro, expected it to be read-only`,
    remedy: 'The device was not given to the pod. The kubelet retries. See dmesg on the node for details.',
  });

/** Removes the write protection of a disk that is no longer used. The next user sets the access mode again. */
export const liftProtection = async (disk: Disk, deps: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  if ((await diskFact(disk.name, 'ro', deps)) === '1') await deps.run('blockdev', ['--setrw', disk.path], { signal });
};

/**
 * Allows or forbids writes to a raw disk. A read-only mount of a device file does not prevent writes to the device: the kernel must refuse
 * them for the disk itself.
 */
export const setDeviceAccess = async (
  disk: Disk,
  {
    targetPath,
    access: { readOnly },
  }: { readonly targetPath: string; readonly access: { readonly readOnly: boolean } },
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<void> => {
  const isProtected = async () => (await diskFact(disk.name, 'ro', deps)) === '1';
  if ((await isProtected()) === readOnly) return;
  const others = await mountsElsewhere(await deps.mounter.list({ signal }), disk, targetPath);
  const [other] = others.filter((entry) => isReadOnly(entry) !== readOnly);
  if (other) throw mixed(disk, targetPath, readOnly, other);
  await runOrThrow(deps.run, 'blockdev', [readOnly ? '--setro' : '--setrw', disk.path], { signal });
  if (readOnly && !(await isProtected())) throw notProtected(disk);
};
