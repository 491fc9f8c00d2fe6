import { createSeededRandom } from '@vdo/base/random';
import { expect, it } from 'vitest';
import { openStory } from './story-world.ts';

const claims = 2_000;
const kills = 40;

it('2,000 claims are made and deleted under 40 kills, and nothing is left', { timeout: 3_600_000 }, async () => {
  const story = await openStory();
  const random = createSeededRandom(Number(process.env['SEED'] ?? 1));
  let replica = 1;
  let running = story.start(`replica-${replica}`);
  const dieSoon = async () => {
    await story.advance(200 + Math.floor(random.next() * 3_000));
    running.kill();
    replica += 1;
    running = story.start(`replica-${replica}`);
  };
  const names = Array.from({ length: claims }, (_, index) => `data-${index}`);
  const batch = claims / (kills / 2);
  for (let first = 0; first < claims; first += batch) {
    for (const name of names.slice(first, first + batch)) await story.claim(name);
    await dieSoon();
  }
  // A volume that a dead process may have asked for is not asked for again within six minutes.
  for (const name of names) await story.bound(name, { withinMs: 420_000 });
  expect(new Set((await story.persistentVolumes()).map(({ spec }) => spec.csi?.volumeHandle)).size).toBe(claims);
  expect(story.disks()).toHaveLength(claims);
  for (let first = 0; first < claims; first += batch) {
    for (const name of names.slice(first, first + batch)) await story.deleteClaim(name);
    await dieSoon();
  }
  await story.until('all disks are gone', () => story.disks().length === 0);
  await story.until('all volumes are gone', async () => (await story.persistentVolumes()).length === 0);
  await story.until('no intent is left', async () => (await story.intents()).length === 0);
  expect(replica - 1).toBe(kills);
});
