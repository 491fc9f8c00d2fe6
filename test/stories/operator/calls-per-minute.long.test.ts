import { afterAll, describe, it } from 'vitest';
import { checkStates } from './calls/check-states.ts';
import { createTable } from './calls/measure.ts';
import { rareStates } from './calls/more-states.ts';
import { commonStates } from './calls/states.ts';

const table = createTable();
afterAll(table.print);

// Issue 17, 6 and 15: the whole table.
describe('calls per minute', { timeout: 120_000 }, () => {
  for (const state of [...commonStates, ...rareStates, ...checkStates])
    it(`${state[0]}: at most ${state[1]}`, () => table.measure(state));
});
