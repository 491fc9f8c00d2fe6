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
/** Parts of a larger disk that are looked at, wherever they lie. */
const spread = 256n;
/** All windows together; the kubelet waits two minutes. */
const windowsLimitMs = 60_000;
/** Of a disk that is read whole: 14 MiB/s are enough. The kubelet is told meanwhile that the volume is busy. */
const pieceBytes = 8n * gibibyte;
const pieceLimitMs = 10 * 60_000;

/** Block groups in which ext keeps a copy of its superblock: 1 and the powers of 3, 5 and 7. */
const backupGroups = [1n, 3n, 5n, 7n, 9n, 25n, 27n, 49n, 81n, 125n, 243n, 343n, 625n, 729n];
/** A group of blocks of 1, 2 and 4 KiB. */
const groupBytes = [8n * mebibyte, 32n * mebibyte, 128n * mebibyte];
/** Allocation groups that xfs divides a disk into, each with a header. */
const xfsGroups = [4n, 8n, 16n, 32n];
const btrfsCopies = [64n * kibibyte, 64n * mebibyte, 256n * gibibyte];

/** Around a place that is not known to the byte. */
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
 * What is read of a disk before it is called unused: both ends (boot sectors, partition tables and their copies, LVM, RAID, ZFS), every
 * place at which ext, xfs and btrfs keep copies of what they lost at the beginning, and many more, evenly spread. Small disks are read whole.
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

// One program for all windows; the first difference ends it.
const script = `disk=$1; shift; for window; do
  cmp -n "\${window#*+}" -i "\${window%+*}:0" "$disk" /dev/zero > /dev/null
  code=$?
  [ $code -eq 0 ] && continue
  echo "\${window%+*}"
  exit $code
done`;

/** All of a disk, in pieces: a disk that stops answering is noticed within one. */
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
  // cmp says 1 for a difference, and for a disk that ends early, too.
  if (exitCode !== 1 || stderr !== '') throw unreadable(disk, stderr.trim() || `cmp ended with ${exitCode}`);
  return BigInt(stdout.trim());
};

/**
 * The place of the first sign that a disk was ever written to; undefined if nothing but zeros was found. A disk of which somebody knows
 * that nobody had it before is read in parts (see {@link windowsOf}), every other one from its first byte to its last.
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
