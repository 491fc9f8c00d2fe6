import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import {
  buildMortalNode,
  createVolumeLife,
  type Death,
  type Kind,
  retryOrders,
  sizeOf,
  steps,
} from '../testing/node-faults.ts';
import { createNodeHouse, type NodeHouse } from '../testing/node-house.ts';

// A sample that fits CI: each step of each kind dies somewhere. node-faults.long.test.ts dies everywhere.
const deaths: readonly Omit<Death, 'step' | 'dieAt'>[] = [
  { when: 'inside', signal: 'SIGKILL', nth: 2 },
  { when: 'during', signal: 'SIGKILL', nth: 1 },
  { when: 'during', signal: 'SIGTERM', nth: 1 },
  { when: 'before', signal: 'SIGKILL', nth: 1 },
];
const kinds = Object.keys(sizeOf) as Kind[];

describe.each(kinds)('a node role that dies with a volume of kind %s', (kind) => {
  let house: NodeHouse;
  beforeEach(async () => {
    house = await createNodeHouse({ bytes: sizeOf[kind] * mebibyte });
    await buildMortalNode(house.folder);
  });
  afterEach(() => house.close());

  it.each(steps.map((step, index) => [step, index] as const))(
    'during %s loses nothing, leaves nothing mounted, and is never stuck',
    async (step, index) => {
      const shift = kinds.indexOf(kind) + index;
      const died: string[] = [];
      for (const [turn, death] of deaths.entries()) {
        // Staging starts most programs: the later ones come with later turns.
        const dieAt = step === 'stage' ? 1 + ((turn * 7 + shift * 3) % 18) : 1 + (turn % 2);
        const disk = await house.attach();
        const order = retryOrders[(turn + shift) % retryOrders.length] ?? 'twice';
        await createVolumeLife(house, kind, disk).live({ ...death, step, dieAt }, order);
        died.push(`${death.signal} ${death.when} ${dieAt}`);
        await disk.detach();
        if (step !== 'stage' && turn === 1) break;
      }
      expect(died.length).toBeGreaterThanOrEqual(2);
    },
  );
});
