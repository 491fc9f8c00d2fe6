import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, diskSizeBytes } from '@vdo/linux-disks/disk';
import { diskByNumber } from '@vdo/linux-disks/disk-by-number';
import { diskOfMount } from '@vdo/linux-disks/disk-of-mount';
import { growFileSystem } from '@vdo/linux-disks/file-system';
import { isReadOnly } from '@vdo/linux-disks/mount-table';
import { isNetwork } from '@vdo/linux-disks/mounter';
import type { NodeVolumeDeps } from './node-volumes.ts';
import { noVolumeAt } from './volume-stats.ts';

export interface ExpandRequest {
  readonly volumePath: string;
  /** At least so many bytes are expected; 0: whatever the disk has. */
  readonly requiredBytes: bigint;
}

const pollMs = 200;
const timeoutMs = 30_000;

const tooSmall = (disk: Disk, size: bigint, required: bigint): VdoError =>
  new VdoError({
    code: 'NodeDiskNotFound',
    message: `${disk.path} still has ${size} bytes after it was scanned again, expected ${required}`,
    remedy: 'It is tried again. If it stays, look at the size of the disk in the settings of the VM.',
  });

/** Makes the kernel notice that a disk has grown. */
const rescan = async ({ name }: Disk, sysfsRoot: string): Promise<void> => {
  await writeFile(join(sysfsRoot, 'class/block', name, 'device/rescan'), '1').catch(() => {});
};

const waitForSize = async (
  disk: Disk,
  required: bigint,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<bigint> => {
  const startMs = deps.clock.monotonicMs();
  for (;;) {
    await rescan(disk, deps.sysfsRoot);
    const size = await diskSizeBytes(disk, deps);
    if (size >= required) return size;
    if (deps.clock.monotonicMs() - startMs >= timeoutMs) throw tooSmall(disk, size, required);
    await sleep(deps.clock, pollMs, { signal });
  }
};

/** Brings device and file system to the size that vCenter has given the disk; returns it. */
export const expandVolume = async (
  { volumePath, requiredBytes }: ExpandRequest,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<bigint> => {
  const share = await deps.mounter.at(volumePath, { signal });
  // vSAN alone decides how large a share is.
  if (share && isNetwork(share)) return requiredBytes;
  const kind = await stat(volumePath).catch(() => undefined);
  if (!kind) throw noVolumeAt(volumePath);
  if (kind.isBlockDevice()) return waitForSize(await diskByNumber(kind.rdev, deps), requiredBytes, deps, signal);
  const mounted = await deps.mounter.at(volumePath, { signal });
  if (!mounted) throw noVolumeAt(volumePath);
  const disk = await diskOfMount(mounted, deps);
  if (!disk) throw noVolumeAt(volumePath);
  const size = await waitForSize(disk, requiredBytes, deps, signal);
  if (!isReadOnly(mounted))
    await growFileSystem({ disk, fsType: mounted.fsType, mountPath: volumePath }, { ...deps, signal });
  return size;
};
