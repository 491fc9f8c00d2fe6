import type { Clock } from '@vdo/base/clock';
import type { Metrics } from '@vdo/base/metrics';

export interface EventLoopMonitor {
  /** How late the last timer was, in milliseconds. A process whose timers are late renews its Lease late. */
  lagMs(): number;
  run(signal: AbortSignal): Promise<void>;
}

const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** Measures how late timers fire, which shows how long other work blocks the event loop. */
export const createEventLoopMonitor = (options: {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Default 500 ms. */
  readonly everyMs?: number;
}): EventLoopMonitor => {
  const { clock, everyMs = 500 } = options;
  const name = 'vdo_event_loop_lag_seconds';
  const seconds = options.metrics.histogram({ name, help: 'Delay of timers in this process.', buckets });
  let lagMs = 0;
  return {
    lagMs: () => lagMs,
    run: (signal) =>
      new Promise((resolve) => {
        let cancel = () => {};
        const measure = () => {
          const dueMs = clock.monotonicMs() + everyMs;
          cancel = clock.schedule(() => {
            lagMs = Math.max(0, clock.monotonicMs() - dueMs);
            seconds.observe({}, lagMs / 1000);
            measure();
          }, everyMs);
        };
        const end = () => {
          cancel();
          resolve();
        };
        if (signal.aborted) return end();
        signal.addEventListener('abort', end, { once: true });
        measure();
      }),
  };
};
