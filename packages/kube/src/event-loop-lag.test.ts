import { createMetrics } from '@vdo/base/metrics';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, test } from 'vitest';
import { createEventLoopMonitor } from './event-loop-lag.ts';
import { createPausableClock } from './testing/pausable-clock.ts';

test('a process that was stopped knows for how long', async () => {
  const clock = createVirtualClock();
  const process = createPausableClock(clock);
  const metrics = createMetrics();
  const monitor = createEventLoopMonitor({ clock: process, metrics });
  const controller = new AbortController();
  const running = monitor.run(controller.signal);
  await clock.advance(1_000);
  expect(monitor.lagMs()).toBe(0);
  process.pause();
  await clock.advance(3_500);
  process.resume();
  expect(monitor.lagMs()).toBe(3_000);
  controller.abort();
  await running;
  expect(clock.pending()).toBe(0);
  expect((await metrics.expose()).body).toContain('vdo_event_loop_lag_seconds_bucket{le="5"} 3');
});
