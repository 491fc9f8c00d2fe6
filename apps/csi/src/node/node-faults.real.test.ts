import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { cellsOf, deathsOf } from '../testing/fault-table.ts';
import { buildMortalNode } from '../testing/mortal-call.ts';
import { createFaultyVolume, kinds, retryOrders, sizeOf, steps } from '../testing/node-faults.ts';
import { createNodeHouse, type NodeHouse } from '../testing/node-house.ts';

// A sample that fits CI: each step of each kind dies in some ways. node-faults.long.test.ts has the whole table.
const cellsPerStep = 3;

describe.each(kinds)('a node role that dies with a volume of kind %s', (kind) => {
  let house: NodeHouse;
  beforeEach(async () => {
    house = await createNodeHouse({ bytes: sizeOf[kind] * mebibyte });
    await buildMortalNode(house.folder);
  });
  afterEach(() => house.close());

  it('at some points of each step loses nothing, leaves nothing mounted, and is never stuck', async () => {
    const volume = createFaultyVolume(house, kind);
    let died = 0;
    for (const step of steps) {
      const deaths = deathsOf(await volume.count(step));
      const every = Math.ceil((deaths.length * retryOrders.length) / cellsPerStep);
      for (const { death, order } of cellsOf(deaths, retryOrders, every)) {
        const dead = await volume.survive(step, death, order).catch((error: Error) => {
          throw new Error(`${step}, ${JSON.stringify(death)}, tried again ${order}: ${error.message}`, {
            cause: error,
          });
        });
        if (dead) died++;
      }
    }
    await volume.end();
    // A program may be faster than its death, and staging a share is nearly nothing.
    expect(died).toBeGreaterThanOrEqual(kind === 'share' ? 5 : 9);
  });
});
