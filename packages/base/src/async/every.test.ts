import { expect, it } from 'vitest';
import { createVirtualClock } from '../virtual-clock.ts';
import { every } from './every.ts';

const setUp = (task: () => unknown, firstAfterMs?: number) => {
  const clock = createVirtualClock();
  const stop = new AbortController();
  const options = { clock, periodMs: 100, ...(firstAfterMs === undefined ? {} : { firstAfterMs }) };
  return { clock, stop, ended: every(task, options, stop.signal) };
};

it('runs at once and then after each period, until aborted', async () => {
  let turns = 0;
  const { clock, stop, ended } = setUp(() => ++turns);
  expect(turns).toBe(1);
  await clock.advance(250);
  expect(turns).toBe(3);
  stop.abort();
  await ended;
  expect(clock.pending()).toBe(0);
});

it('waits before the first run if asked to, and does not run when aborted meanwhile', async () => {
  let turns = 0;
  const { clock, stop, ended } = setUp(() => ++turns, 30);
  await clock.advance(29);
  expect(turns).toBe(0);
  stop.abort();
  await ended;
  expect(turns).toBe(0);
});

it('counts the period from the end of a run', async () => {
  const begunMs: number[] = [];
  const { clock, stop, ended } = setUp(async () => {
    begunMs.push(clock.monotonicMs());
    await new Promise<void>((resolve) => clock.schedule(resolve, 50));
  }, 1);
  await clock.advance(400);
  const [first = 0, second = 0] = begunMs;
  expect(second - first).toBe(150);
  stop.abort();
  await clock.advance(100);
  await ended;
});

it('ends with the failure of a run', async () => {
  const { ended } = setUp(() => Promise.reject(new Error('no')));
  await expect(ended).rejects.toThrow('no');
});
