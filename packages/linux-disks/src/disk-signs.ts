import { VdoError } from '@vdo/base/vdo-error';
import type { DiskHandle } from './disk-handle.ts';

/** A part of a disk: where it begins and how long it is. */
export interface Window {
  readonly offset: bigint;
  readonly length: bigint;
}

const kibibyte = 1024n;
const mebibyte = 1024n * kibibyte;
const gibibyte = 1024n * mebibyte;
/** Disks up to this size are read whole. */
const readWhole = 512n * mebibyte;
const endBytes = 4n * mebibyte;
const windowBytes = 64n * kibibyte;
/** Size of each part of a larger disk that is read. */
const spread = 256n;
/** Time limit for all windows together; the kubelet waits two minutes. */
const windowsLimitMs = 60_000;
/** Time limit for a disk that is read completely: 14 MiB/s are sufficient. Meanwhile the kubelet gets the answer that the volume is busy. */
const pieceBytes = 8n * gibibyte;
const pieceLimitMs = 10 * 60_000;

/** Block groups in which ext keeps a copy of its superblock: 1 and the powers of 3, 5 and 7. */
const backupGroups = [1n, 3n, 5n, 7n, 9n, 25n, 27n, 49n, 81n, 125n, 243n, 343n, 625n, 729n];
/** Size of a block group with blocks of 1, 2 and 4 KiB. */
const groupBytes = [8n * mebibyte, 32n * mebibyte, 128n * mebibyte];
/** Allocation groups that xfs divides a disk into, each with a header. */
const xfsGroups = [4n, 8n, 16n, 32n];
const btrfsCopies = [64n * kibibyte, 64n * mebibyte, 256n * gibibyte];

/** A window around a position that is not known exactly. */
const around = (offset: bigint): Window => {
  const aligned = (offset / 4096n) * 4096n;
  return { offset: aligned > windowBytes / 2n ? aligned - windowBytes / 2n : 0n, length: windowBytes };
};

const placesOfCopies = (size: bigint): readonly bigint[] => [
  ...groupBytes.flatMap((bytes) => backupGroups.map((group) => group * bytes)),
  ...xfsGroups.flatMap((count) => Array.from({ length: Number(count) }, (_, index) => (size / count) * BigInt(index))),
  ...btrfsCopies,
];

/**
 * The parts of a disk that are read before it counts as unused: both ends (boot sectors, partition tables and their copies, LVM, RAID, ZFS),
 * all positions at which ext, xfs and btrfs keep copies of their first blocks, and many more, evenly distributed. Small disks are read completely.
 */
export const windowsOf = (size: bigint): readonly Window[] => {
  if (size <= readWhole) return [{ offset: 0n, length: size }];
  const ends = [0n, size - endBytes].map((offset) => ({ offset, length: endBytes }));
  const evenly = Array.from({ length: Number(spread) }, (_, index) => (size / spread) * BigInt(index));
  const inside = [...placesOfCopies(size), ...evenly].map(around);
  return [...ends, ...inside.filter(({ offset, length }) => offset + length <= size)];
};

const unreadable = ({ path }: DiskHandle, seen: string): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `it cannot be determined whether ${path} was used before: ${seen}`,
    remedy: 'The disk was not changed and is checked again. Check dmesg on the node for read errors.',
  });

// One process for all windows; it ends at the first difference.
const script = `disk=$1; shift; for window; do
  cmp -n "\${window#*+}" -i "\${window%+*}:0" "$disk" /dev/zero > /dev/null
  code=$?
  [ $code -eq 0 ] && continue
  echo "\${window%+*}"
  exit $code
done`;

/** The whole disk, in pieces, so that a disk that stops responding is noticed within one piece. */
const piecesOf = (size: bigint): readonly Window[] =>
  Array.from({ length: Number((size + pieceBytes - 1n) / pieceBytes) }, (_, index) => {
    const offset = BigInt(index) * pieceBytes;
    return { offset, length: size - offset < pieceBytes ? size - offset : pieceBytes };
  });

const findIn = async (
  disk: DiskHandle,
  windows: readonly Window[],
  { limitMs }: { readonly limitMs: number },
): Promise<bigint | undefined> => {
  const args = windows.map(({ offset, length }) => `${offset}+${length}`);
  const result = await disk.run('sh', ['-c', script, 'signs', disk.self, ...args], { limitMs });
  const { exitCode, stdout, stderr, timedOut } = result;
  if (exitCode === 0) return undefined;
  if (timedOut) throw unreadable(disk, `reading it took longer than ${limitMs / 1000} s`);
  // cmp returns 1 for a difference, and also for a disk that ends too early.
  if (exitCode !== 1 || stderr !== '') throw unreadable(disk, stderr.trim() || `cmp ended with ${exitCode}`);
  return BigInt(stdout.trim());
};

/**
 * The position of the first sign that a disk was ever written to; undefined if only zeros were found. A disk that is known to be new is read
 * in parts (see {@link windowsOf}); every other disk is read from its first byte to its last.
 */
export const findSignOfUse = async (
  disk: DiskHandle,
  size: bigint,
  { neverUsed }: { readonly neverUsed: boolean },
): Promise<bigint | undefined> => {
  const parts = await findIn(disk, windowsOf(size), { limitMs: windowsLimitMs });
  if (parts !== undefined || neverUsed || size <= readWhole) return parts;
  for (const piece of piecesOf(size)) {
    const found = await findIn(disk, [piece], { limitMs: pieceLimitMs });
    if (found !== undefined) return found;
  }
  return undefined;
};
