import { VdoError } from '@vdo/base/vdo-error';
import type { DiskHandle } from './disk-handle.ts';

/** The content of a disk. */
export type DiskContent =
  | { readonly kind: 'file-system'; readonly fsType: string }
  /** A file system whose mkfs did not finish: no kernel mounts it. */
  | { readonly kind: 'unfinished'; readonly fsType: string }
  /** A partition table, LVM, RAID, swap, or several things at once. */
  | { readonly kind: 'other'; readonly found: string }
  | { readonly kind: 'nothing' };

const mountable = new Set(['ext2', 'ext3', 'ext4', 'xfs', 'btrfs']);
const nothingFound = 2;
const ambivalent = 8;
const limitMs = 20_000;

const unreadable = (device: string, output: string): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `the content of ${device} cannot be determined: ${output.trim() || 'blkid gave no reason'}`,
    remedy: 'The disk was not changed. Check dmesg on the node for read errors.',
  });

/** Bytes of a disk, read by a separate process that can be killed. */
const readBytes = async (disk: DiskHandle, offset: number, length: number): Promise<Buffer> => {
  const args = ['-A', 'n', '-v', '-t', 'x1', '-w1', '-j', String(offset), '-N', String(length), disk.self];
  const { exitCode, stdout, stderr, timedOut } = await disk.run('od', args, { limitMs });
  if (exitCode !== 0) throw unreadable(disk.path, timedOut ? 'it does not answer' : stderr);
  const bytes = Buffer.from(stdout.replace(/\s/g, ''), 'hex');
  if (bytes.length !== length) throw unreadable(disk.path, `${bytes.length} of ${length} bytes at ${offset} were read`);
  return bytes;
};

/** `sb_inprogress` of the xfs superblock: mkfs sets it first and clears it last. */
const isXfsUnfinished = async (disk: DiskHandle): Promise<boolean> => (await readBytes(disk, 126, 1))[0] !== 0;

/** True if a boot sector has no partitions: only its signature, as boot loaders write it in front of an ext file system. */
const hasNoPartitions = async (disk: DiskHandle): Promise<boolean> =>
  (await readBytes(disk, 446, 64)).every((byte) => byte === 0);

/** Of an ext file system, by its superblock. */
export const extBlockBytes = async (disk: DiskHandle): Promise<number> =>
  1024 << (await readBytes(disk, 1024 + 24, 4)).readUInt32LE();

/** True if an ext file system was never mounted: neither a time of the last mount nor a count. */
export const isExtUnused = async (disk: DiskHandle): Promise<boolean> => {
  const superblock = 1024;
  const [time, count] = [await readBytes(disk, superblock + 44, 4), await readBytes(disk, superblock + 52, 2)];
  return [...time, ...count].every((byte) => byte === 0);
};

/** Reads the output of `blkid -o export`. */
const valuesOf = (output: string): ReadonlyMap<string, string> =>
  new Map(
    output.split('\n').map((line): [string, string] => {
      const [key = '', value = ''] = line.split(/=(.*)/s);
      return [key, value];
    }),
  );

const contentOf = async (disk: DiskHandle, output: string): Promise<DiskContent> => {
  const values = valuesOf(output);
  const [type, table] = [values.get('TYPE'), values.get('PTTYPE')];
  const isFileSystem = type !== undefined && mountable.has(type);
  if (table && !(isFileSystem && table === 'dos' && (await hasNoPartitions(disk))))
    return { kind: 'other', found: `a ${table} partition table` };
  if (!isFileSystem) return type ? { kind: 'other', found: type } : { kind: 'nothing' };
  if (type === 'xfs' && (await isXfsUnfinished(disk))) return { kind: 'unfinished', fsType: type };
  return { kind: 'file-system', fsType: type };
};

/** Reads the disk itself, without any cache. A disk that cannot be read is an error, and never counts as empty. */
export const probeDisk = async (disk: DiskHandle): Promise<DiskContent> => {
  const args = ['-p', '-o', 'export', disk.path];
  const { exitCode, stdout, stderr, timedOut } = await disk.run('blkid', args, { limitMs });
  if (timedOut) throw unreadable(disk.path, `it did not answer within ${limitMs / 1000} s`);
  if (exitCode === ambivalent) return { kind: 'other', found: 'signatures of several formats' };
  // blkid also reports this for a disk that it could not read. Before formatting, the disk is therefore read in another way.
  if (exitCode === nothingFound) return { kind: 'nothing' };
  if (exitCode !== 0) throw unreadable(disk.path, stderr);
  return contentOf(disk, stdout);
};
