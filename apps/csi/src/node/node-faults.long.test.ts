import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import {
  buildMortalNode,
  createVolumeLife,
  type Death,
  type Kind,
  retryOrders,
  type Step,
  sizeOf,
  steps,
} from '../testing/node-faults.ts';
import { createNodeHouse, type NodeHouse } from '../testing/node-house.ts';

const ways: readonly Omit<Death, 'step' | 'dieAt'>[] = [
  { when: 'before', signal: 'SIGKILL', nth: 1 },
  { when: 'during', signal: 'SIGKILL', nth: 1 },
  { when: 'during', signal: 'SIGTERM', nth: 1 },
  ...[1, 2, 4, 8, 16].map((nth) => ({ when: 'inside' as const, signal: 'SIGKILL' as const, nth })),
];

describe.each(Object.keys(sizeOf) as Kind[])('a node role that dies with a volume of kind %s', (kind) => {
  let house: NodeHouse;
  beforeEach(async () => {
    house = await createNodeHouse({ bytes: sizeOf[kind] * mebibyte });
    await buildMortalNode(house.folder);
  });
  afterEach(() => house.close());

  /** How many programs a step starts, on a volume that has come so far. */
  const countOf = async (wanted: Step): Promise<number> => {
    const disk = await house.attach();
    const life = createVolumeLife(house, kind, disk);
    let count = 0;
    for (const step of steps) {
      if (step === wanted) count = await life.count(step);
      await life.retry(step);
    }
    await disk.detach();
    return count;
  };

  it.each(steps)(
    'at any point of %s loses nothing, leaves nothing mounted, and is never stuck',
    async (step) => {
      const programs = await countOf(step);
      const deaths = Array.from({ length: programs }, (_, index) => index + 1).flatMap((dieAt) =>
        ways.map((way): Death => ({ ...way, step, dieAt })),
      );
      for (const [turn, death] of deaths.entries()) {
        const disk = await house.attach();
        const order = retryOrders[turn % retryOrders.length] ?? 'twice';
        await createVolumeLife(house, kind, disk)
          .live(death, order)
          .catch((error: Error) => {
            throw new Error(`${JSON.stringify(death)}, tried again ${order}: ${error.message}`, { cause: error });
          });
        await disk.detach();
      }
      process.stdout.write(`${kind} ${step}: ${programs} programs, ${deaths.length} deaths, all recovered\n`);
      expect(deaths).toHaveLength(programs * ways.length);
    },
    3_600_000,
  );
});
