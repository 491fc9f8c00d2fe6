import type { Clock } from '@vdo/base/clock';

/** Bursts of changes (a rollout, 100 nodes) start one pass. */
const settleMs = 100;
/** Passes that start at once; after that the interval doubles. */
const promptPasses = 8;
const longestMs = 60_000;
/** After this long without a pass, one earlier pass no longer counts. */
const forgiveMs = 120_000;

export interface Waker {
  /** Something has changed. */
  wake(): void;
  /** The changes were progress of the work itself: the next change starts a pass at once again. */
  forgive(): void;
}

/**
 * Starts a pass for changes of one kind. Constant changes (a dispute over a field, a flapping node) start
 * it at growing intervals, at most once per minute in the end, however many changes there are.
 */
export const createWaker = (clock: Pick<Clock, 'monotonicMs'>, observe: (afterMs: number) => void): Waker => {
  let looks = 0;
  let lastMs = 0;
  let nextMs = Number.NEGATIVE_INFINITY;
  return {
    wake: () => {
      const nowMs = clock.monotonicMs();
      // The scheduled pass sees this change too.
      if (nowMs < nextMs) return;
      looks = Math.max(0, looks - Math.floor((nowMs - lastMs) / forgiveMs)) + 1;
      lastMs = nowMs;
      const delayMs = looks <= promptPasses ? settleMs : Math.min(longestMs, settleMs * 2 ** (looks - promptPasses));
      nextMs = nowMs + delayMs;
      observe(delayMs);
    },
    forgive: () => {
      looks = 0;
      nextMs = Number.NEGATIVE_INFINITY;
    },
  };
};
