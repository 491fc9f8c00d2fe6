import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { crossOver } from './cross-over.ts';
import { crossings } from './kill-points.ts';
import { openProcessTestbed, type ProcessTestbed } from './process-testbed.ts';
import { createWishes } from './storage-wishes.ts';

// Programs start and stop several times in each.
vi.setConfig({ testTimeout: 900_000 });

let testbed: ProcessTestbed;
let wishes: ReturnType<typeof createWishes>;
beforeAll(async () => {
  testbed = await openProcessTestbed({ cluster: 'simulated' });
  wishes = createWishes(testbed);
});
afterAll(() => testbed?.close());

// All of them are in upgrade-rollback.long.test.ts.
const sampled = ['the volume is to be recorded'];

describe('upgrade to this release and rollback to v0.1.0, in the middle of everything', () => {
  it.each(
    crossings.filter(({ point }) => sampled.includes(point.name)).map((crossing, round) => ({ ...crossing, round })),
  )('loses nothing when $dies dies as $point.name', (crossing) => crossOver(testbed, wishes, crossing));
});
