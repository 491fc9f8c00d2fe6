import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { createNodeTestbed } from '../testing/node-testbed.ts';

const descriptors = (): number => readdirSync('/proc/self/fd').length;
const mountsBelow = async (folder: string): Promise<readonly string[]> =>
  (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').filter((line) => line.includes(folder));

it('a hundred volumes are staged, published, written, unpublished and unstaged at once', async () => {
  const testbed = await createNodeTestbed({ bytes: 16 * mebibyte });
  const node = testbed.callsOf(testbed.serviceWith());
  const volumes = [];
  for (let index = 0; index < 100; index++) {
    const disk = await testbed.attach();
    await testbed.makeStaging(`staging-${index}`);
    volumes.push({ disk, options: { volumeId: `v${index}`, staging: `staging-${index}`, target: `target-${index}` } });
  }
  await Promise.all(volumes.map(({ disk, options }) => node.stage(disk, options)));
  await Promise.all(volumes.map(({ disk, options }) => node.publish(disk, options)));
  for (const [index] of volumes.entries()) await writeFile(testbed.path(`target-${index}/file`), `${index}`);
  await Promise.all(volumes.map(({ options }) => node.unpublish(options.target, options.volumeId)));
  await Promise.all(volumes.map(({ options }) => node.unstage(options)));
  expect(await mountsBelow(testbed.folder)).toEqual([]);
  // Each has what was written to it, and nothing of the others.
  for (const [index, { disk, options }] of volumes.entries()) {
    await testbed.makeStaging(options.staging);
    await node.stage(disk, options);
    expect(await readFile(testbed.path(`${options.staging}/file`), 'utf8')).toBe(`${index}`);
    await node.unstage(options);
  }
  await testbed.close();
});

it('five hundred lives of a volume leave no descriptor, mount or note behind', async () => {
  const testbed = await createNodeTestbed({ bytes: 16 * mebibyte });
  const node = testbed.callsOf(testbed.serviceWith());
  const disk = await testbed.attach();
  const live = async () => {
    await testbed.makeStaging();
    await node.stage(disk);
    await node.publish(disk);
    await node.unpublish();
    await node.unstage();
  };
  await live();
  const before = descriptors();
  for (let cycle = 0; cycle < 500; cycle++) await live();
  expect(descriptors()).toBeLessThanOrEqual(before + 2);
  expect(await mountsBelow(testbed.folder)).toEqual([]);
  expect(readdirSync(testbed.path('staged'))).toEqual([]);
  await testbed.close();
}, 1_800_000);
