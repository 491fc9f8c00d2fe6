import { describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { countMkfsWrites, interruptMkfs } from '../testing/interrupted-mkfs.ts';
import { blankVolume, createNodeTestbed, mountOf } from '../testing/node-testbed.ts';

const sizes = { ext4: 32, xfs: 320, btrfs: 128 } as const;
const points = 24;

describe.each(Object.entries(sizes))('an mkfs of %s that is cut short', (fsType, size) => {
  it.each([
    ['ours', blankVolume],
    ['of the Go driver', {}],
  ])('at any point is made again, for volumes %s', async (_whose, volumeContext) => {
    const testbed = await createNodeTestbed({ bytes: size * mebibyte });
    const writes = await countMkfsWrites(testbed, fsType);
    expect(writes).toBeGreaterThan(points / 2);
    let cut = 0;
    for (let point = 0; point < points; point++) {
      const disk = await testbed.attach();
      const nth = 1 + Math.floor((point * (writes - 1)) / (points - 1));
      if (await interruptMkfs(testbed, disk, { fsType, volumeContext, nth })) cut++;
      await testbed.calls().stage(disk, { capability: mountOf(fsType), volumeContext });
      await testbed.calls().unstage();
      await testbed.makeStaging();
      await disk.detach();
    }
    process.stdout.write(`${fsType}: ${writes} writes, cut at ${cut} of ${points} points, 0 stuck\n`);
    expect(cut).toBeGreaterThanOrEqual(20);
    await testbed.close();
  });
});
