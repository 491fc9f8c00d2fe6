import { afterAll, describe, it } from 'vitest';
import { createTable } from './calls/measure.ts';
import { commonStates } from './calls/states.ts';

const table = createTable();
afterAll(table.print);

// Issue 17, 6 and 15. All others: `npm run test:long -- calls-per-minute`.
describe('calls per minute', { timeout: 120_000 }, () => {
  for (const state of commonStates) it(`${state[0]}: at most ${state[1]}`, () => table.measure(state));
});
