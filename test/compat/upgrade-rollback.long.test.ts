import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { crossOver } from './cross-over.ts';
import { crossings } from './kill-points.ts';
import { openProcessHouse, type ProcessHouse } from './process-house.ts';
import { createWishes } from './storage-wishes.ts';

// Programs start and stop several times in each.
vi.setConfig({ testTimeout: 900_000 });

let house: ProcessHouse;
let wishes: ReturnType<typeof createWishes>;
beforeAll(async () => {
  house = await openProcessHouse({ cluster: 'simulated' });
  wishes = createWishes(house);
});
afterAll(() => house?.close());

describe('upgrade to this release and rollback to v0.1.0, in the middle of everything', () => {
  it.each(crossings.map((crossing, round) => ({ ...crossing, round })))(
    'loses nothing when $dies dies as $point.name',
    (crossing) => crossOver(house, wishes, crossing),
  );
});
