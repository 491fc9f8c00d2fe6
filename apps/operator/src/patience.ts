import type { Clock } from '@vdo/base/clock';

/**
 * Workloads are watched, but not why their pods do not start, or whether pods are still ending. Both are read soon after a change
 * and then at growing intervals.
 */
const steps = [
  { looks: 4, everyMs: 15_000 },
  { looks: 4, everyMs: 30_000 },
] as const;
const longestMs = 60_000;
/** After this long without such a read the intervals start again. */
const forgetMs = 10 * 60_000;

/** How long to wait until the next read of a change in progress. */
export interface Patience {
  /** Call once per pass. */
  waitMs(): number;
  /** There was progress, or the spec changed. Restarting pods are neither. */
  forgive(): void;
}

export const createPatience = (clock: Pick<Clock, 'monotonicMs'>): Patience => {
  let looks = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    waitMs: () => {
      const nowMs = clock.monotonicMs();
      if (nowMs - lastMs >= forgetMs) looks = 0;
      lastMs = nowMs;
      looks += 1;
      let upTo = 0;
      for (const step of steps) {
        upTo += step.looks;
        if (looks <= upTo) return step.everyMs;
      }
      return longestMs;
    },
    forgive: () => {
      looks = 0;
    },
  };
};
