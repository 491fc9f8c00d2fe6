import { describe, expect, it } from 'vitest';
import { decideFormat, type FormatQuestion } from './decide-format.ts';

const question = (overrides: Partial<FormatQuestion> = {}): FormatQuestion => ({
  device: '/dev/sdb',
  content: { kind: 'nothing' },
  wanted: 'ext4',
  blank: true,
  endsAreZero: true,
  readOnly: false,
  sizeBytes: 1024n,
  expectedBytes: 1024n,
  ...overrides,
});
const has = (fsType: string) => ({ kind: 'file-system' as const, fsType });

describe('a disk is mounted', () => {
  it.each([
    ['with the file system asked for', { content: has('xfs'), wanted: 'xfs' }, 'xfs'],
    ['with whatever it has when nothing is asked', { content: has('btrfs'), wanted: '' }, 'btrfs'],
    ['with the elder of the file system asked for', { content: has('ext3') }, 'ext3'],
    ['though it is a copy', { content: has('ext4'), blank: false }, 'ext4'],
    ['though its size is not what vCenter says', { content: has('ext4'), expectedBytes: 1n }, 'ext4'],
  ])('%s', (_name, overrides, fsType) => {
    expect(decideFormat(question(overrides))).toEqual({ action: 'mount', fsType });
  });
});

describe('a disk is formatted', () => {
  it.each([
    ['that was created empty', {}, 'ext4'],
    ['with ext4 when nothing is asked', { wanted: '' }, 'ext4'],
    ['of an older driver, if its ends are zeros', { blank: undefined, expectedBytes: undefined }, 'ext4'],
    ['that was created empty, whatever its ends hold', { endsAreZero: false, wanted: 'xfs' }, 'xfs'],
  ])('%s', (_name, overrides, fsType) => {
    expect(decideFormat(question(overrides))).toEqual({ action: 'format', fsType });
  });
});

describe('a disk is left alone', () => {
  it.each([
    ['that holds another file system', { content: has('xfs') }, /holds a xfs file system, ext4 was asked/],
    ['that holds a partition table', { content: { kind: 'other' as const, found: 'a gpt partition table' } }, /gpt/],
    ['that is a copy on which nothing is found', { blank: false }, /copy of another/],
    ['whose size is not what vCenter says', { expectedBytes: 2048n }, /may be another disk/],
    ['of an older driver that is not all zeros', { blank: undefined, endsAreZero: false }, /origin is not known/],
    ['that is empty and read-only', { readOnly: true }, /read-only/],
    ['for which an unknown file system is asked', { wanted: 'fat' }, /no file system of this driver/],
  ])('%s', (_name, overrides, message) => {
    expect(() => decideFormat(question(overrides))).toThrow(
      expect.objectContaining({ code: 'VolumeFormatRefused', message: expect.stringMatching(message) }),
    );
  });
});
