import { stat, statfs } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { diskSizeBytes } from '@vdo/linux-disks/disk';
import { diskByNumber } from '@vdo/linux-disks/disk-by-number';
import { isReadOnly } from '@vdo/linux-disks/mount-table';
import { isNetwork } from '@vdo/linux-disks/mounter';
import type { NodeVolumeDeps } from './node-volumes.ts';
import { readShareStats } from './share-stats.ts';
import { unwell, type VolumeStats } from './volume-usage.ts';

/** VdoError VolumeNotFound for a path at which no volume is. */
export const noVolumeAt = (path: string): VdoError =>
  new VdoError({
    code: 'VolumeNotFound',
    message: `there is no volume at ${path}`,
    remedy: 'The pod has probably ended: nothing to do.',
  });

/** Usage of a volume, and whether it can still be used. */
export const readVolumeStats = async (
  path: string,
  deps: NodeVolumeDeps,
  signal: AbortSignal,
): Promise<VolumeStats> => {
  // A share whose server is away must not be touched by this process: the call would never return.
  const share = await deps.mounter.at(path, { signal });
  if (share && isNetwork(share)) return readShareStats(path, deps, signal);
  const kind = await stat(path).catch((error: { readonly code?: unknown }) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw noVolumeAt(path);
    return error;
  });
  if (!('isBlockDevice' in kind)) return unwell(path, kind);
  if (kind.isBlockDevice()) {
    const disk = await diskByNumber(kind.rdev, deps);
    const total = await diskSizeBytes(disk, deps);
    return { bytes: { total, used: 0n, available: 0n }, inodes: undefined, problem: undefined };
  }
  const mounted = await deps.mounter.at(path, { signal });
  if (!mounted) throw noVolumeAt(path);
  try {
    const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path, { bigint: true });
    const fellBack = isReadOnly(mounted) && !mounted.options.includes('ro');
    return {
      bytes: { total: blocks * bsize, used: (blocks - bfree) * bsize, available: bavail * bsize },
      inodes: files > 0n ? { total: files, used: files - ffree, available: ffree } : undefined,
      problem: fellBack ? `the file system at ${path} became read-only after an error` : undefined,
    };
  } catch (error) {
    return unwell(path, error);
  }
};
