import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, test } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

const setUp = (qps: number, burst: number) => {
  const clock = createVirtualClock();
  const limiter = createRateLimiter({ clock, qps, burst });
  const passedAtMs: number[] = [];
  const take = (count: number) => {
    for (let i = 0; i < count; i++) void limiter.take().then(() => passedAtMs.push(clock.monotonicMs()));
  };
  return { clock, limiter, passedAtMs, take };
};

test('a burst passes at once and the rest at the given rate, in order', async () => {
  const { clock, passedAtMs, take } = setUp(10, 3);
  take(6);
  await clock.advance(1000);
  expect(passedAtMs).toEqual([0, 0, 0, 100, 200, 300]);
});

test('the bucket fills again during a pause, but never beyond the burst', async () => {
  const { clock, passedAtMs, take } = setUp(10, 2);
  take(2);
  await clock.advance(60_000);
  take(4);
  await clock.advance(1000);
  expect(passedAtMs).toEqual([0, 0, 60_000, 60_000, 60_100, 60_200]);
});

test('a caller that gives up stops waiting', async () => {
  const { clock, limiter } = setUp(1, 1);
  const controller = new AbortController();
  await limiter.take();
  const waiting = limiter.take({ signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(clock.pending()).toBe(0);
});
