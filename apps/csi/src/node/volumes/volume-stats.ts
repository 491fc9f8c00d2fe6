import { stat } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { diskSizeBytes } from '@vdo/linux-disks/disk';
import { diskByNumber } from '@vdo/linux-disks/disk-by-number';
import { mountProblem } from '@vdo/linux-disks/mount-health';
import type { MountEntry } from '@vdo/linux-disks/mount-table';
import { isNetwork } from '@vdo/linux-disks/mounter';
import { readMountStats } from './mount-stats.ts';
import type { NodeVolumeDeps } from './node-volumes.ts';
import { unwell, type VolumeStats } from './volume-usage.ts';

/** VdoError VolumeNotFound for a path without a volume. */
export const noVolumeAt = (path: string): VdoError =>
  new VdoError({
    code: 'VolumeNotFound',
    message: `no volume is mounted at ${path}`,
    remedy: 'No action needed: the pod has probably ended.',
  });

/** The number of the device at a path; undefined if it is a file system. Device files are in memory, so reading one never blocks. */
export const shownDevice = async ({ root, target }: MountEntry): Promise<number | undefined> => {
  if (root === '/') return undefined;
  const kind = await stat(target).catch(() => undefined);
  return kind?.isBlockDevice() ? kind.rdev : undefined;
};

/** Usage of a volume, and whether it can still be used. This process itself never accesses a mounted disk or share, because such a call might never return. */
export const readVolumeStats = async (
  asked: string,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<VolumeStats> => {
  const path = await deps.mounter.place(asked, { signal });
  const mounted = await deps.mounter.at(path, { signal });
  if (!mounted) throw noVolumeAt(path);
  if (isNetwork(mounted)) return readMountStats(path, deps, signal);
  const device = await shownDevice(mounted);
  if (device !== undefined) {
    const disk = await diskByNumber(device, deps).catch(() => undefined);
    if (!disk) return unwell(path, 'its disk is no longer attached');
    const total = await diskSizeBytes(disk, deps);
    return { bytes: { total, used: 0n, available: 0n }, inodes: undefined, problem: undefined };
  }
  const problem = await mountProblem(mounted, { ...deps, signal });
  const stats = await readMountStats(path, deps, signal);
  return problem ? { ...stats, problem: `the file system at ${path} ${problem}` } : stats;
};
