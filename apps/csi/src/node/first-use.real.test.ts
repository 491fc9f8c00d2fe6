import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { windowsOf } from '@vdo/linux-disks/disk-signs';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf, mebibyte, put } from '../testing/disk-corpus.ts';
import { createNodeHouse, type NodeHouse, rawOf } from '../testing/node-house.ts';

/** More than is read whole of a disk that nobody can have used. */
const large = 600 * mebibyte;
const page = Buffer.alloc(4096, 'page');
/** A page of the disk that none of the samples shows. */
const unseen = (): number => {
  const windows = windowsOf(BigInt(large));
  const isRead = (at: number) =>
    windows.some(({ offset, length }) => BigInt(at) + 4096n > offset && BigInt(at) < offset + length);
  for (let at = 300 * mebibyte; at < large; at += 4096) if (!isRead(at)) return at;
  throw new Error('all of it is read');
};

let house: NodeHouse;
let disk: LoopDisk;
beforeEach(async () => {
  house = await createNodeHouse({ bytes: large });
  disk = await house.attach();
});
afterEach(() => house.close());

const expectRefused = async (options: Parameters<ReturnType<NodeHouse['calls']>['stage']>[1] = {}) => {
  const before = hashOf(disk);
  await expect(house.calls().stage(disk, options)).rejects.toMatchObject({
    code: 'VolumeFormatRefused',
    message: expect.stringContaining('was written to'),
  });
  expect(hashOf(disk)).toBe(before);
};
const useRaw = async () => {
  const capability = rawOf();
  await house.calls().stage(disk, { capability });
  await house.calls().publish(disk, { capability });
  put(house.path('target'), unseen(), page);
  await house.calls().unpublish();
  await house.calls().unstage();
  await house.makeStaging();
};

describe('a disk that was created empty', () => {
  it('and used raw is not formatted, though a single page was written where no sample lies', async () => {
    await useRaw();
    // Attached again, and while the first attachment still says that it is the first.
    await expectRefused({ firstUse: false });
    await expectRefused();
  });

  it('and used as a file system is not formatted when all of it is lost but a page', async () => {
    await house.calls().stage(disk);
    await house.calls().unstage();
    await house.makeStaging();
    execFileSync('blkdiscard', ['-z', disk.device]);
    put(disk.device, unseen(), page);
    await expectRefused();
    await expectRefused({ firstUse: false });
  });

  it.each([
    ['that was attached before', { firstUse: false }],
    ['whose context says nothing', { volumeContext: {} }],
  ])('%s is read whole, and formatted if every byte is zero', async (_name, options) => {
    put(disk.device, unseen(), page);
    await expectRefused(options);
    put(disk.device, unseen(), Buffer.alloc(4096));
    await house.calls().stage(disk, options);
  });

  it('is remembered as used no longer than it is attached', async () => {
    await useRaw();
    expect(await readdir(house.path('used'))).toEqual([disk.diskUuid]);
    await disk.detach();
    const next = await house.attach();
    await house.calls().stage(next, { capability: rawOf() });
    expect(await readdir(house.path('used'))).toEqual([next.diskUuid]);
  });
});
