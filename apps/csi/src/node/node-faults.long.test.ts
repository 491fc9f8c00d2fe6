import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { cellsOf, deathsOf } from '../testing/fault-table.ts';
import { buildMortalNode } from '../testing/mortal-call.ts';
import { createFaultyVolume, kinds, retryOrders, sizeOf, steps } from '../testing/node-faults.ts';
import { createNodeHouse, type NodeHouse } from '../testing/node-house.ts';

// All of it takes hours; VDO_FAULTS_EVERY=7 tries every seventh.
const every = Number(process.env['VDO_FAULTS_EVERY'] ?? 1);

describe.each(kinds)('a node role that dies with a volume of kind %s', (kind) => {
  let house: NodeHouse;
  beforeEach(async () => {
    house = await createNodeHouse({ bytes: sizeOf[kind] * mebibyte });
    await buildMortalNode(house.folder);
  });
  afterEach(() => house.close());

  it.each(steps)(
    'at any point of %s loses nothing, leaves nothing mounted, and is never stuck',
    async (step) => {
      const volume = createFaultyVolume(house, kind);
      const counted = await volume.count(step);
      const deaths = deathsOf(counted);
      const all = deaths.length * retryOrders.length;
      const cells = cellsOf(deaths, retryOrders, every);
      const killed = cells.filter(({ death }) => death.signal === 'SIGKILL').length;
      let died = 0;
      for (const { death, order } of cells) {
        const dead = await volume.survive(step, death, order).catch((error: Error) => {
          throw new Error(`${JSON.stringify(death)}, tried again ${order}: ${error.message}`, { cause: error });
        });
        if (dead && death.signal === 'SIGKILL') died++;
      }
      await volume.end();
      process.stdout.write(
        `faults ${kind} ${step}: ${cells.length} of ${all} cells, ${died} of ${killed} SIGKILLs hit, all recovered\n`,
      );
      // A program may be faster than its death, and what is closed last is closed when all is done.
      // Staging a share does nothing that could be cut short.
      const doesNothing = kind === 'share' && step.endsWith('stage') && step !== 'unstage';
      expect(died).toBeGreaterThanOrEqual(doesNothing ? 0 : 0.5 * killed);
    },
    8 * 3_600_000,
  );
});
