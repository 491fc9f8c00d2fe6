import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { itself, killClasses } from '../testing/fault-table.ts';
import { leftBehind } from '../testing/left-behind.ts';
import { buildMortalNode } from '../testing/mortal-call.ts';
import { createFaultyVolume, type Death, kinds, sizeOf, steps } from '../testing/node-faults.ts';
import { createNodeTestbed, type NodeTestbed } from '../testing/node-testbed.ts';
import { changesState } from '../testing/system-calls.ts';

// The rule by which the table of faults leaves points out is looked at here: of each class of points between which nothing is changed,
// the first and the last one leave the same behind, and so does a program that changes nothing, wherever it dies.
describe.each(kinds)('a node role that is killed with a volume of kind %s', (kind) => {
  let testbed: NodeTestbed;
  beforeEach(async () => {
    testbed = await createNodeTestbed({ bytes: sizeOf[kind] * mebibyte });
    await buildMortalNode(testbed.folder);
  });
  afterEach(() => testbed.close());

  it.each(steps)(
    'in %s leaves the same at all points between which nothing is changed',
    async (step) => {
      const volume = createFaultyVolume(testbed, kind);
      const counted = await volume.count(step);
      /** Undefined if it did not die: what is closed last is closed when all is done. */
      const remains = async (death: Death): Promise<string | undefined> => {
        const died = await volume.die(step, death);
        const left = leftBehind({ folder: testbed.folder, ...volume.names() }, { isNew: step === 'stage' });
        await volume.tryAgain(step, 'as the kubelet does');
        return died ? left : undefined;
      };
      let pairs = 0;
      const compare = async (one: Death, other: Death): Promise<void> => {
        const left = [await remains(one), await remains(other)];
        if (left.includes(undefined)) return;
        expect(left[0], `${JSON.stringify(one)}, ${JSON.stringify(other)}`).toBe(left[1]);
        pairs++;
      };
      for (const { points } of killClasses(counted)) {
        const [first, last] = [points[0], points.at(-1)];
        if (!first || !last || first === last) continue;
        await compare(itself(last, 'SIGKILL'), itself(first, 'SIGKILL'));
      }
      for (const [index, calls] of counted.programs.entries()) {
        const last = calls.at(-1);
        if (!last || calls.some(changesState)) continue;
        const death = { dieAt: index + 1, signal: 'SIGKILL', call: last.call, nth: last.nth } as const;
        await compare({ ...death, when: 'inside' }, { ...death, when: 'before' });
      }
      await volume.end();
      // Staging a share does nothing.
      expect(pairs).toBeGreaterThan(kind === 'share' && step.endsWith('stage') && step !== 'unstage' ? -1 : 0);
      process.stdout.write(`classes ${kind} ${step}: ${pairs} pairs of points left the same\n`);
    },
    3_600_000,
  );
});
