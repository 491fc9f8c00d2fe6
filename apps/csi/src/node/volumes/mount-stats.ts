import { networkLimitMs } from '@vdo/linux-disks/mounter';
import type { NodeVolumeDeps } from './node-volumes.ts';
import { unwell, type VolumeStats } from './volume-usage.ts';

// Block size, blocks, free, available; files, free.
const format = '%S %b %f %a %c %d';

/** Usage of the file system at a path, read by a separate process that can be killed if a server or a disk does not respond. */
export const readMountStats = async (
  path: string,
  { run }: Pick<NodeVolumeDeps, 'run'>,
  signal: AbortSignal,
): Promise<VolumeStats> => {
  const options = { signal, limitMs: networkLimitMs };
  const { exitCode, stdout, stderr } = await run('stat', ['--file-system', `--format=${format}`, path], options);
  const numbers = stdout.trim().split(' ');
  if (exitCode !== 0 || numbers.length !== 6)
    return unwell(path, stderr.trim() || `it did not answer within ${networkLimitMs / 1000} s`);
  const [size = 0n, blocks = 0n, free = 0n, available = 0n, files = 0n, filesFree = 0n] = numbers.map(BigInt);
  return {
    bytes: { total: blocks * size, used: (blocks - free) * size, available: available * size },
    inodes: files > 0n ? { total: files, used: files - filesFree, available: filesFree } : undefined,
    problem: undefined,
  };
};
