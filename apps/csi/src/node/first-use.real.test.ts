import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { windowsOf } from '@vdo/linux-disks/disk-signs';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf, mebibyte, put } from '../testing/disk-corpus.ts';
import { createNodeTestbed, type NodeTestbed, rawOf } from '../testing/node-testbed.ts';

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

let testbed: NodeTestbed;
let disk: LoopDisk;
beforeEach(async () => {
  testbed = await createNodeTestbed({ bytes: large });
  disk = await testbed.attach();
});
afterEach(() => testbed.close());

const expectRefused = async (options: Parameters<ReturnType<NodeTestbed['calls']>['stage']>[1] = {}) => {
  const before = hashOf(disk);
  await expect(testbed.calls().stage(disk, options)).rejects.toMatchObject({
    code: 'VolumeFormatRefused',
    message: expect.stringContaining('was written to'),
  });
  expect(hashOf(disk)).toBe(before);
};
const useRaw = async () => {
  const capability = rawOf();
  await testbed.calls().stage(disk, { capability });
  await testbed.calls().publish(disk, { capability });
  put(testbed.path('target'), unseen(), page);
  await testbed.calls().unpublish();
  await testbed.calls().unstage();
  await testbed.makeStaging();
};

describe('a disk that was created empty', () => {
  it('and used raw is not formatted, though a single page was written where no sample lies', async () => {
    await useRaw();
    // Attached again, and while the first attachment still says that it is the first.
    await expectRefused({ firstUse: false });
    await expectRefused();
  });

  it('and used as a file system is not formatted when all of it is lost but a page', async () => {
    await testbed.calls().stage(disk);
    await testbed.calls().unstage();
    await testbed.makeStaging();
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
    await testbed.calls().stage(disk, options);
  });

  it('is remembered as used no longer than it is attached', async () => {
    await useRaw();
    expect(await readdir(testbed.path('used'))).toEqual([disk.diskUuid]);
    await disk.detach();
    const next = await testbed.attach();
    await testbed.calls().stage(next, { capability: rawOf() });
    expect(await readdir(testbed.path('used'))).toEqual([next.diskUuid]);
  });
});
