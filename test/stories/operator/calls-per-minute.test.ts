import { afterAll, describe, expect, it } from 'vitest';
import { reportedRows } from './calls/all-states.ts';
import { atRest, broken, createTable } from './calls/measure.ts';
import { readPage } from './calls/page.ts';
import { commonStates } from './calls/states.ts';

const table = createTable();
afterAll(table.print);

// Issue 17, 6 and 15. All others: `npm run test:long -- calls-per-minute`.
describe('calls per minute', { timeout: 120_000 }, () => {
  for (const state of commonStates) it(`${state[0]}: at most ${state[1]}`, () => table.measure(state));

  it('are told of every state in docs/explanation/operator-behaviour.md, each within its bound', () => {
    const reported = readPage();
    expect(reported.map(({ state, bound }) => ({ state, bound }))).toEqual(reportedRows);
    expect(reported.filter(({ perMinute, bound }) => perMinute > bound)).toEqual([]);
    expect([atRest, broken]).toEqual([35, 70]);
  });
});
