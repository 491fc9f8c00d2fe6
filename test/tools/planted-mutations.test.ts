import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeMutations } from '@vdo/csi/testing/node-mutations';
import { moreNodeMutations } from '@vdo/csi/testing/node-mutations-more';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/ledger.mjs';
import { mutations as driverMutations, type Mutation } from '../../tools/simulate/mutations.mjs';
import { operatorMutations as lifeMutations } from '../../tools/simulate/operator-mutations.mjs';
import { mutations as storyMutations } from '../stories/operator/mutations.ts';
import { mutations as clientMutations } from '../vsphere-schema/mutations.ts';

interface Planted {
  readonly fault: string;
  readonly file: string;
  readonly search: string;
  readonly replace: string;
  /** The test that has to notice it. Those of the simulations are noticed by a seed. */
  readonly test?: string;
}
const ofSimulation = ({ name: fault, also = [], ...first }: Mutation): readonly Planted[] =>
  [first, ...also].map(({ file, from: search, to: replace }) => ({ fault, file, search, replace }));
const lists: readonly (readonly [string, readonly Planted[]])[] = [
  ['apps/csi/src/testing', [...nodeMutations, ...moreNodeMutations].map((one) => ({ ...one, fault: one.guard }))],
  ['test/stories/operator/mutations.ts', storyMutations],
  ['test/vsphere-schema/mutations.ts', clientMutations],
  ['tools/simulate/mutations.mjs', driverMutations.flatMap(ofSimulation)],
  ['tools/simulate/operator-mutations.mjs', lifeMutations.flatMap(ofSimulation)],
];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

// They are planted in the long tier; that their texts are still there is seen at once.
describe('each planted mutation', () => {
  it.each(lists)('of %s still changes the source once', (_list, planted) => {
    const stale = planted.filter(
      ({ file, search, replace }) => search === replace || read(file).split(search).length !== 2,
    );
    expect(stale.map(({ fault, file, search }) => ({ fault, file, search }))).toEqual([]);
  });

  it.each(lists)('of %s names a test file that is there', (_list, planted) => {
    const lost = planted.filter(({ test }) => test !== undefined && !existsSync(join(root, test)));
    expect(lost.map(({ fault, test }) => ({ fault, test }))).toEqual([]);
  });
});
