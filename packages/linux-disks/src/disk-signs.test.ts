import { describe, expect, it } from 'vitest';
import { windowsOf } from './disk-signs.ts';

const mebibyte = 1024n * 1024n;
const gibibyte = 1024n * mebibyte;
const reads = (size: bigint, offset: bigint): boolean =>
  windowsOf(size).some((window) => window.offset <= offset && offset < window.offset + window.length);

describe('what is read of a disk before it is called unused', () => {
  it('is all of a small one', () => {
    expect(windowsOf(64n * mebibyte)).toEqual([{ offset: 0n, length: 64n * mebibyte }]);
  });

  it.each([1n, 10n, 100n, 2048n, 63_488n])('is bounded and within a disk of %i GiB', (size) => {
    const windows = windowsOf(size * gibibyte);
    const read = windows.reduce((sum, { length }) => sum + length, 0n);
    expect(read).toBeLessThan(40n * mebibyte);
    expect(windows.every(({ offset, length }) => offset >= 0n && offset + length <= size * gibibyte)).toBe(true);
  });

  it.each([
    ['the boot sector', 0n],
    ['the superblock of btrfs', 64n * 1024n],
    ['its first copy', 64n * mebibyte],
    ['the copy of ext4 in group 1', 128n * mebibyte],
    ['the copy of ext4 in group 3', 3n * 128n * mebibyte],
    ['the copy of ext4 in group 25', 25n * 128n * mebibyte],
    ['the copy of ext with blocks of 1 KiB in group 1', 8n * mebibyte + 1024n],
    ['the second allocation group of xfs', 25n * gibibyte],
    ['its header', 25n * gibibyte + 512n],
    ['the third', 50n * gibibyte],
    ['the copy of a GPT', 100n * gibibyte - 512n],
    ['the label of ZFS at the end', 100n * gibibyte - 256n * 1024n],
  ])('is %s', (_what, offset) => {
    expect(reads(100n * gibibyte, offset)).toBe(true);
  });

  it('is something of every part of the disk', () => {
    const size = 100n * gibibyte;
    const part = size / 128n;
    const untouched = Array.from({ length: 128 }, (_, index) => BigInt(index) * part).filter(
      (start) => !windowsOf(size).some(({ offset }) => offset >= start && offset < start + part),
    );
    expect(untouched).toEqual([]);
  });
});
