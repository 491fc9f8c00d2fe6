import { describe, expect, it } from 'vitest';
import { chooseSizeMb, sizeSatisfies } from './volume-size.ts';

const gib = 1024n ** 3n;
const range = (requiredBytes: bigint, limitBytes = 0n) => ({ requiredBytes, limitBytes });

describe('chooseSizeMb', () => {
  it.each([
    ['10 GiB when nothing is asked', undefined, 10_240n],
    ['10 GiB when the range is empty', range(0n), 10_240n],
    ['the required size', range(5n * gib), 5_120n],
    ['a size rounded up to MiB', range(5n * gib + 1n), 5_121n],
    ['one MiB for one byte', range(1n), 1n],
    ['the limit when it is below the default and nothing is required', range(0n, 2n * gib + 5n), 2_048n],
    ['the default when only a larger limit is given', range(0n, 20n * gib), 10_240n],
    ['the largest disk', range(62n * 1024n * gib), 62n * 1024n * 1024n],
  ])('gives %s', (_name, asked, expected) => {
    expect(chooseSizeMb(asked)).toBe(expected);
  });

  it.each([
    ['a negative size', range(-1n)],
    ['a limit below the request', range(2n * gib, gib)],
    ['a disk above 62 TiB', range(62n * 1024n * gib + 1n)],
    ['the largest number there is', range(2n ** 63n - 1n)],
    ['a range without a whole MiB', range(gib + 1n, gib + 2n)],
    ['a limit below one MiB', range(0n, 1000n)],
  ])('refuses %s', (_name, asked) => {
    expect(() => chooseSizeMb(asked)).toThrow(expect.objectContaining({ code: 'VolumeSizeInvalid' }));
  });
});

describe('sizeSatisfies', () => {
  it.each([
    ['any size when nothing is asked', undefined, true],
    ['the exact size', range(gib), true],
    ['a larger one without limit', range(gib - 5n), true],
    ['not a smaller one', range(gib + 1n), false],
    ['not one above the limit', range(1n, gib - 1n), false],
  ])('accepts %s', (_name, asked, expected) => {
    expect(sizeSatisfies(1024n, asked)).toBe(expected);
  });
});
