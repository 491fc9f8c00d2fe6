import { describe, expect, it } from 'vitest';
import { createHistory } from './history.ts';

const minute = 60_000;
const startMs = Date.parse('2026-03-01T00:00:00Z');
const done = (count: number) => ({ count, errors: 0, ms: count * 10 });

describe('the history of a day', () => {
  it('adds up what happens in one minute, calls and operations apart', () => {
    const history = createHistory();
    history.add('call', startMs + 1_000, { count: 3, errors: 1, ms: 30 });
    history.add('call', startMs + 59_000, { count: 2, errors: 0, ms: 12.4 });
    history.add('operation', startMs + 2_000, { count: 1, errors: 0, ms: 900 });
    expect(history.rows(startMs + minute)).toEqual([
      {
        key: `${minute}/${startMs}`,
        atMs: startMs,
        everyMs: minute,
        calls: 5,
        callErrors: 1,
        callMs: 42,
        operations: 1,
        operationErrors: 0,
        operationMs: 900,
      },
    ]);
  });
  it('is coarser for what is older than two hours, counts nothing twice and loses nothing', () => {
    const history = createHistory();
    const minutes = 23 * 60;
    for (let at = 0; at < minutes; at += 1) history.add('call', startMs + at * minute, done(1));
    const rows = history.rows(startMs + minutes * minute);
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(minutes);
    expect(rows.length).toBeLessThanOrEqual(264);
    for (const [index, { atMs, everyMs }] of rows.entries()) {
      const next = rows[index + 1];
      if (next) expect(next.atMs).toBe(atMs + everyMs);
    }
    expect([rows[0]?.everyMs, rows.at(-1)?.everyMs]).toEqual([10 * minute, minute]);
  });
  it('forgets what is older than a day, and stays small for a month', () => {
    const history = createHistory();
    const minutes = 30 * 24 * 60;
    for (let at = 0; at < minutes; at += 1) history.add('operation', startMs + at * minute, done(1));
    const nowMs = startMs + minutes * minute;
    const rows = history.rows(nowMs);
    expect(rows.length).toBeLessThanOrEqual(264);
    expect(rows[0]?.atMs).toBeGreaterThanOrEqual(nowMs - 24 * 60 * minute);
    expect(JSON.stringify(rows).length).toBeLessThan(64 * 1024);
  });
});
