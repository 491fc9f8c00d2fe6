import type { Clock } from '@vdo/base/clock';

export interface PausableClock extends Clock {
  /** Timers no longer fire, while time goes on: what SIGSTOP does to a process. */
  pause(): void;
  /** What was due meanwhile fires now. */
  resume(): void;
}

/** The clock of one process among several on the same `clock`, its wall clock off by `skewMs`. */
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
