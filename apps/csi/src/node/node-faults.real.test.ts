import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { buildMortalNode, dismissMortalNode } from '../testing/mortal-call.ts';
import { createFaultyVolume, type Death, kinds, retryOrders, sizeOf, steps } from '../testing/node-faults.ts';
import { createNodeTestbed, type NodeTestbed } from '../testing/node-testbed.ts';

// A sample that fits CI: each step of each kind dies in two ways. node-faults.long.test.ts dies in all.
const deaths: readonly Death[] = [
  { dieAt: 0, when: 'itself', signal: 'SIGKILL', call: 'openat', nth: 2 },
  { dieAt: 1, when: 'inside', signal: 'SIGKILL', call: 'openat', nth: 2 },
  { dieAt: 0, when: 'itself', signal: 'SIGTERM', call: 'statx', nth: 2 },
  { dieAt: 1, when: 'during', signal: 'SIGTERM', call: '', nth: 1 },
  { dieAt: 0, when: 'itself', signal: 'SIGKILL', call: 'openat', nth: 3 },
];
/** In the middle of mkfs, and of the marks around it. */
const deathsOfStage: readonly Death[] = [
  { dieAt: 7, when: 'inside', signal: 'SIGKILL', call: 'pwrite64', nth: 3 },
  { dieAt: 6, when: 'inside', signal: 'SIGKILL', call: 'clone', nth: 2 },
];

describe.each(kinds)('a node role that dies with a volume of kind %s', (kind) => {
  let testbed: NodeTestbed;
  beforeEach(async () => {
    testbed = await createNodeTestbed({ bytes: sizeOf[kind] * mebibyte });
    await buildMortalNode(testbed.folder);
  });
  afterEach(async () => {
    dismissMortalNode(testbed.folder);
    await testbed.close();
  });

  it('at some points of each step loses nothing, leaves nothing mounted, and is never stuck', async () => {
    const volume = createFaultyVolume(testbed, kind);
    let died = 0;
    for (const [index, step] of steps.entries()) {
      const turn = kinds.indexOf(kind) + index;
      const own = [0, 1].flatMap((more) => deaths[(2 * turn + more) % deaths.length] ?? []);
      for (const [which, death] of [...own, ...(step === 'stage' ? deathsOfStage : [])].entries()) {
        const order = retryOrders[(turn + which) % retryOrders.length] ?? 'twice';
        const dead = await volume.survive(step, death, order).catch((error: Error) => {
          throw new Error(`${step}, ${JSON.stringify(death)}, tried again ${order}: ${error.message}`, {
            cause: error,
          });
        });
        if (dead) died++;
      }
    }
    await volume.end();
    // Some calls end before their death; of a share, nearly nothing is staged.
    expect(died).toBeGreaterThanOrEqual(4);
  });
});
