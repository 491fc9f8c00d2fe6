import { join } from 'node:path';
import { sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, diskSizeBytes } from '@vdo/linux-disks/disk';
import { diskByNumber } from '@vdo/linux-disks/disk-by-number';
import { diskOfMount } from '@vdo/linux-disks/disk-of-mount';
import { growFileSystem } from '@vdo/linux-disks/file-system';
import { isReadOnly, type MountEntry } from '@vdo/linux-disks/mount-table';
import { isNetwork } from '@vdo/linux-disks/mounter';
import type { NodeVolumeDeps } from './node-volumes.ts';
import { noVolumeAt, shownDevice } from './volume-stats.ts';

export interface ExpandRequest {
  readonly volumePath: string;
  /** Minimum expected size in bytes; 0: any size. */
  readonly requiredBytes: bigint;
}

const pollMs = 200;
/** The kernel needs a moment. If vCenter has not expanded the disk yet, the kubelet retries. */
const timeoutMs = 3_000;
const rescanLimitMs = 5_000;

const tooSmall = (disk: Disk, size: bigint, required: bigint): VdoError =>
  new VdoError({
    code: 'NodeDiskNotFound',
    message: `${disk.path} still has ${size} bytes after a rescan, expected ${required}`,
    remedy: 'The kubelet retries. If this persists, check the size of the disk in the settings of the VM.',
  });

/** Makes the kernel read the new size of a disk. Uses a separate process, because the kernel queries the disk, which may not respond. */
const rescan = async ({ name }: Disk, { run, sysfsRoot }: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  const file = join(sysfsRoot, 'class/block', name, 'device/rescan');
  const script = '[ ! -e "$1" ] || echo 1 > "$1"';
  await run('sh', ['-c', script, 'rescan', file], { signal, limitMs: rescanLimitMs }).catch(() => {});
};

const waitForSize = async (
  disk: Disk,
  required: bigint,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<bigint> => {
  const startMs = deps.clock.monotonicMs();
  for (;;) {
    await rescan(disk, deps, signal);
    signal.throwIfAborted();
    const size = await diskSizeBytes(disk, deps);
    if (size >= required) return size;
    if (deps.clock.monotonicMs() - startMs >= timeoutMs) throw tooSmall(disk, size, required);
    await sleep(deps.clock, pollMs, { signal });
  }
};

/** A writable mount of the file system: the volume path of the request may belong to a pod that has it read-only. */
const writableMount = async (
  mounted: MountEntry,
  { mounter }: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<MountEntry | undefined> => {
  if (!isReadOnly(mounted)) return mounted;
  const all = await mounter.list({ signal });
  return all.find((entry) => entry.device === mounted.device && entry.fsType === mounted.fsType && !isReadOnly(entry));
};

/** Expands device and file system to the size of the disk in vCenter; returns the size. */
export const expandVolume = async (
  { volumePath: asked, requiredBytes }: ExpandRequest,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<bigint> => {
  const volumePath = await deps.mounter.place(asked, { signal });
  const mounted = await deps.mounter.at(volumePath, { signal });
  if (!mounted) throw noVolumeAt(volumePath);
  // The size of a share is decided by vSAN alone.
  if (isNetwork(mounted)) return requiredBytes;
  const device = await shownDevice(mounted);
  if (device !== undefined) return waitForSize(await diskByNumber(device, deps), requiredBytes, deps, signal);
  const disk = await diskOfMount(mounted, deps);
  if (!disk) throw noVolumeAt(volumePath);
  const size = await waitForSize(disk, requiredBytes, deps, signal);
  const writable = await writableMount(mounted, deps, signal);
  if (writable) await growFileSystem({ disk, fsType: mounted.fsType, mountPath: writable.target }, { ...deps, signal });
  return size;
};
