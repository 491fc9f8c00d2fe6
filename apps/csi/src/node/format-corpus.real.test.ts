import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { markOffsets } from '@vdo/linux-disks/format-mark';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CorpusDisk, hashOf as hash, mebibyte, neverFormatted, put } from '../testing/disk-corpus.ts';
import { formatMarkAt } from '../testing/format-marks.ts';
import { createNodeTestbed, mountOf, type NodeTestbed } from '../testing/node-testbed.ts';

const small = 64 * mebibyte;
let testbed: NodeTestbed;
beforeEach(async () => {
  testbed = await createNodeTestbed({ bytes: small });
});
afterEach(() => testbed.close());

const origins = [
  ['ours, created empty', { 'vdo.vmware.com/blank': 'true' }],
  ['of the Go driver', {}],
] as const;

const assertLeftAlone = async ({ bytes, make, call = {} }: CorpusDisk): Promise<void> => {
  const disk = await testbed.attach({ bytes });
  make(disk.device, disk.diskUuid);
  const before = hash(disk);
  // Reading a large disk takes its time, wherever it comes from.
  const tried = bytes > 512 * mebibyte ? origins.slice(0, 1) : origins;
  for (const [, volumeContext] of call.volumeContext ? [['', call.volumeContext] as const] : tried)
    await expect(testbed.calls().stage(disk, { bytes, ...call, volumeContext })).rejects.toMatchObject({
      code: 'VolumeFormatRefused',
      message: expect.stringContaining(disk.device),
    });
  expect(hash(disk)).toBe(before);
};

describe('a disk is not formatted and not changed, wherever it comes from, that holds', () => {
  it('is tried with at least thirty kinds', () => expect(neverFormatted.length).toBeGreaterThanOrEqual(30));
  it.each(neverFormatted.map((disk) => [disk.name, disk] as const))('%s', (_name, disk) => assertLeftAlone(disk));

  it.each([
    ['the marks of another disk, as a copy has them', (offset: number) => formatMarkAt('6000c29f'.repeat(4), offset)],
    [
      'marks of which a bit has changed',
      (offset: number, diskUuid: string) => {
        const mark = formatMarkAt(diskUuid, offset);
        mark[20] = (mark[20] ?? 0) ^ 1;
        return mark;
      },
    ],
    ['marks at the wrong places', (offset: number, diskUuid: string) => formatMarkAt(diskUuid, offset + 4096)],
  ])('%s', async (name, markFor) => {
    const make = (device: string, diskUuid: string) => {
      for (const offset of markOffsets(BigInt(small))) put(device, Number(offset), markFor(Number(offset), diskUuid));
    };
    await assertLeftAlone({ name, bytes: small, make });
  });
});

describe('a disk is formatted and mounted that', () => {
  const large = 600 * mebibyte;
  const interrupted = (disk: LoopDisk, bytes: number, left: (device: string) => void): void => {
    left(disk.device);
    const [, , last = 0n] = markOffsets(BigInt(bytes));
    put(disk.device, Number(last), formatMarkAt(disk.diskUuid, Number(last)));
  };
  const cases: readonly (readonly [string, string, number, (disk: LoopDisk, bytes: number) => void])[] = [
    ['holds nothing, with ext4', 'ext4', small, () => {}],
    ['holds nothing, with ext3', 'ext3', small, () => {}],
    ['holds nothing, with xfs', 'xfs', 320 * mebibyte, () => {}],
    ['holds nothing, with btrfs', 'btrfs', 2 * small, () => {}],
    ['holds nothing and is large', 'ext4', large, () => {}],
    [
      'has a single mark and some of an mkfs',
      'ext4',
      small,
      (disk, bytes) => interrupted(disk, bytes, (device) => put(device, 8 * mebibyte, 'inode tables')),
    ],
    [
      'has a mark and an ext4 that nobody ever mounted',
      'ext4',
      small,
      (disk, bytes) =>
        interrupted(disk, bytes, (device) => execFileSync('mkfs.ext4', ['-q', device], { stdio: 'ignore' })),
    ],
    [
      'has a mark and an unfinished xfs',
      'xfs',
      320 * mebibyte,
      (disk, bytes) =>
        interrupted(disk, bytes, (device) => {
          execFileSync('mkfs.xfs', ['-q', '-K', device]);
          put(device, 126, '\x01');
        }),
    ],
  ];
  it.each(cases)('%s', async (_name, fsType, bytes, make) => {
    for (const [, volumeContext] of origins) {
      const disk = await testbed.attach({ bytes });
      make(disk, bytes);
      await testbed.calls().stage(disk, { bytes, volumeContext, capability: mountOf(fsType) });
      expect(
        execFileSync('findmnt', ['-n', '-o', 'FSTYPE', testbed.path('staging')], { encoding: 'utf8' }).trim(),
      ).toBe(fsType);
      await testbed.calls().unstage();
      await expect(stat(testbed.path('staging'))).rejects.toMatchObject({ code: 'ENOENT' });
      execFileSync('mkdir', [testbed.path('staging')]);
      // No mark is left.
      for (const offset of markOffsets(BigInt(bytes)))
        expect(() =>
          execFileSync('cmp', ['-s', '-n', '512', '-i', `${offset}:0`, disk.device, '-'], {
            input: formatMarkAt(disk.diskUuid, Number(offset)),
          }),
        ).toThrow();
      // It is not formatted a second time.
      await testbed.calls().stage(disk, { bytes, volumeContext, capability: mountOf(''), readonly: true });
      await testbed.calls().unstage();
      execFileSync('mkdir', [testbed.path('staging')]);
    }
  });

  it('has a mark and a file system that came out whole and was used: it is kept with its data', async () => {
    const disk = await testbed.attach();
    interrupted(disk, small, (device) => {
      execFileSync('mkfs.ext4', ['-q', device], { stdio: 'ignore' });
      execFileSync('mount', [device, testbed.path('staging')]);
      execFileSync('sh', ['-c', `echo kept > ${testbed.path('staging')}/file; umount ${testbed.path('staging')}`]);
    });
    await testbed.calls().stage(disk);
    expect(execFileSync('cat', [testbed.path('staging/file')], { encoding: 'utf8' })).toBe('kept\n');
  });
});
