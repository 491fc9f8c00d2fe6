import type { Clock } from '@vdo/base/clock';

export interface PausableClock extends Clock {
  /** Timers no longer fire, while time advances: the effect of SIGSTOP on a process. */
  pause(): void;
  /** Fires the timers that expired meanwhile. */
  resume(): void;
}

/** The clock of one of several processes on the same `clock`; its wall clock is off by `skewMs`. */
export const createPausableClock = (clock: Clock, skewMs = 0): PausableClock => {
  let paused = false;
  let due: (() => void)[] = [];
  return {
    now: () => clock.now() + skewMs,
    monotonicMs: () => clock.monotonicMs(),
    schedule: (task, delayMs) => {
      let cancelled = false;
      const run = () => {
        if (!cancelled) task();
      };
      const cancel = clock.schedule(() => (paused ? due.push(run) : run()), delayMs);
      return () => {
        cancelled = true;
        cancel();
      };
    },
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      const tasks = due;
      due = [];
      for (const task of tasks) task();
    },
  };
};
