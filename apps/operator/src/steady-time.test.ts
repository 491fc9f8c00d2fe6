import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, it } from 'vitest';
import { createSteadyTime } from './steady-time.ts';

it('steady time passes as the monotonic clock does, whoever sets the clock on the wall', async () => {
  const clock = createVirtualClock();
  let aheadMs = 0;
  const steady = createSteadyTime({ ...clock, now: () => clock.now() + aheadMs });
  const beganMs = steady.nowMs();
  await clock.advance(60_000);
  aheadMs = 20 * 60_000;
  expect(steady.nowMs() - beganMs).toBe(60_000);
  steady.beginTerm();
  aheadMs = -60 * 60_000;
  await clock.advance(60_000);
  expect(steady.nowMs() - steady.sinceMs()).toBe(60_000);
});
