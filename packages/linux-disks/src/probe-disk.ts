import { open } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, diskSizeBytes } from './disk.ts';
import type { RunCommand } from './run-command.ts';

/** What is on a disk. */
export type DiskContent =
  | { readonly kind: 'file-system'; readonly fsType: string }
  /** A partition table, LVM, RAID, swap, or several things at once. */
  | { readonly kind: 'other'; readonly found: string }
  | { readonly kind: 'nothing' };

export interface ProbeOptions {
  readonly run: RunCommand;
  readonly sysfsRoot: string;
  readonly signal: AbortSignal;
}

const mountable = new Set(['ext2', 'ext3', 'ext4', 'xfs', 'btrfs']);
const nothingFound = 2;
const ambivalent = 8;
const mebibyte = 1024n * 1024n;

const unreadable = (device: string, output: string): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `what is on ${device} cannot be told: ${output.trim() || 'blkid gave no reason'}`,
    remedy: 'The disk is left alone. Look for read errors with dmesg on the node.',
  });

/** Reads the output of `blkid -o export`. */
const contentOf = (output: string): DiskContent => {
  const values = new Map(
    output.split('\n').map((line): [string, string] => {
      const [key = '', value = ''] = line.split(/=(.*)/s);
      return [key, value];
    }),
  );
  const [type, table] = [values.get('TYPE'), values.get('PTTYPE')];
  if (table) return { kind: 'other', found: `a ${table} partition table` };
  if (type && mountable.has(type)) return { kind: 'file-system', fsType: type };
  return type ? { kind: 'other', found: type } : { kind: 'nothing' };
};

const readEnds = async (disk: Disk, options: ProbeOptions): Promise<readonly Buffer[]> => {
  try {
    const size = await diskSizeBytes(disk, options);
    const length = Number(size < mebibyte ? size : mebibyte);
    const file = await open(disk.path, 'r');
    try {
      const read = async (position: bigint) => {
        const buffer = Buffer.alloc(length);
        const { bytesRead } = await file.read({ buffer, length, position: Number(position) });
        if (bytesRead !== length) throw new Error(`read ${bytesRead} of ${length} bytes at ${position}`);
        return buffer;
      };
      return [await read(0n), await read(size - BigInt(length))];
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(disk.path, error instanceof Error ? error.message : String(error));
  }
};

/** Looks at the disk itself, past every cache. A disk that cannot be read is an error, never "nothing". */
export const probeDisk = async (disk: Disk, options: ProbeOptions): Promise<DiskContent> => {
  // blkid says "nothing found" of a disk it could not read, too.
  await readEnds(disk, options);
  const { exitCode, stdout, stderr } = await options.run('blkid', ['-p', '-o', 'export', disk.path], options);
  if (exitCode === ambivalent) return { kind: 'other', found: 'signatures of several formats' };
  if (exitCode === nothingFound) return { kind: 'nothing' };
  if (exitCode !== 0) throw unreadable(disk.path, stderr);
  return contentOf(stdout);
};

/** True if the first and the last MiB of a disk are all zeros. */
export const endsAreZero = async (disk: Disk, options: ProbeOptions): Promise<boolean> => {
  const ends = await readEnds(disk, options);
  return ends.every((end) => end.every((byte) => byte === 0));
};
