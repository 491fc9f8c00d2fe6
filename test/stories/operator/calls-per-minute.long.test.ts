import { afterAll, describe, expect, it } from 'vitest';
import { allStates, reportedRows } from './calls/all-states.ts';
import { createTable } from './calls/measure.ts';
import { readPage, shorten, writePage } from './calls/page.ts';

const table = createTable();
afterAll(table.print);

// Issue 17, 6 and 15: the whole table. VDO_WRITE_DOCS=1 writes it into docs/explanation/operator-behaviour.md.
describe('calls per minute', { timeout: 120_000 }, () => {
  for (const state of allStates) it(`${state[0]}: at most ${state[1]}`, () => table.measure(state));

  it('are as few as docs/explanation/operator-behaviour.md says', () => {
    const measured = shorten(table.rows);
    if (process.env['VDO_WRITE_DOCS'] === '1')
      writePage(
        measured,
        reportedRows.map(({ state }) => state),
      );
    const reported = new Map(readPage().map(({ state, perMinute }) => [state, perMinute]));
    for (const { state, perMinute } of measured)
      expect(perMinute, `${state}: VDO_WRITE_DOCS=1 writes the page anew`).toBeLessThanOrEqual(
        reported.get(state) ?? -1,
      );
  });
});
