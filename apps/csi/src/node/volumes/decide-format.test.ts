import { describe, expect, it } from 'vitest';
import { decideFormat, type FormatQuestion } from './decide-format.ts';

const question = (overrides: Partial<FormatQuestion> = {}): FormatQuestion => ({
  device: '/dev/sdb',
  content: { kind: 'nothing' },
  wanted: 'ext4',
  blank: true,
  marked: false,
  signAt: undefined,
  claimed: false,
  readOnly: false,
  sizeBytes: 1024n,
  expectedBytes: 1024n,
  ...overrides,
});
const unfinished = { kind: 'unfinished' as const, fsType: 'xfs' };
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
    ['of an older driver, if it shows no sign of use', { blank: undefined, expectedBytes: undefined }, 'ext4'],
  ])('%s', (_name, overrides, fsType) => {
    expect(decideFormat(question(overrides))).toEqual({ action: 'format', fsType, again: false });
  });
});

describe('a disk on which an mkfs of ours was cut short', () => {
  it.each([
    ['and left nothing that can be named', { marked: true }],
    ['and left an unfinished file system', { marked: true, content: unfinished, wanted: 'xfs' }],
    ['is formatted again for an older driver, too', { marked: true, blank: undefined }],
  ])('%s', (_name, overrides) => {
    expect(decideFormat(question(overrides))).toMatchObject({ action: 'format', again: true });
  });

  it('is mounted if the file system came out whole', () => {
    expect(decideFormat(question({ marked: true, content: has('ext4') }))).toEqual({ action: 'mount', fsType: 'ext4' });
  });
});

describe('a disk is left alone', () => {
  it.each([
    ['that holds another file system', { content: has('xfs') }, /contains a xfs file system, but ext4 was requested/],
    ['that holds a partition table', { content: { kind: 'other' as const, found: 'a gpt partition table' } }, /gpt/],
    ['that is a copy on which nothing is found', { blank: false }, /copy of another/],
    ['whose size is not what vCenter says', { expectedBytes: 2048n }, /may be another disk/],
    [
      'of an older driver that was written to',
      { blank: undefined, signAt: 4096n },
      /bytes other than zero from byte 4096 on/,
    ],
    ['that was created empty, but written to since', { signAt: 0n }, /bytes other than zero from byte 0 on/],
    ['on which somebody else began an mkfs', { content: unfinished }, /another program began to create/],
    ['that another program has for itself', { claimed: true }, /exclusively/],
    ['that is a copy, though an mkfs was begun on it', { blank: false, marked: true }, /copy of another/],
    ['of another size, though an mkfs was begun on it', { marked: true, expectedBytes: 2048n }, /may be another disk/],
    [
      'in parts, though an mkfs was begun on it',
      { marked: true, content: { kind: 'other' as const, found: 'LVM' } },
      /LVM/,
    ],
    ['that is empty and read-only', { readOnly: true }, /read-only/],
    ['for which an unknown file system is asked', { wanted: 'fat' }, /does not support the file system fat/],
  ])('%s', (_name, overrides, message) => {
    expect(() => decideFormat(question(overrides))).toThrow(
      expect.objectContaining({ code: 'VolumeFormatRefused', message: expect.stringMatching(message) }),
    );
  });
});
