import type { Clock } from '@vdo/base/clock';

/** Bursts of changes (a rollout, a hundred nodes) become one look. */
const settleMs = 100;
/** Looks that come at once; from there on their distance doubles. */
const promptPasses = 8;
const longestMs = 60_000;
/** After so long without a look the next one is forgiven. */
const forgiveMs = 120_000;

export interface Waker {
  /** Something has changed. */
  wake(): void;
  /** What has been changing was the work itself, which gets on: the next change is looked at promptly again. */
  forgive(): void;
}

/**
 * Wakes a pass for changes of one kind. What changes all the time (somebody fights for a field, a node comes and goes) wakes
 * it less and less often, at last once a minute, however many changes there are.
 */
export const createWaker = (clock: Pick<Clock, 'monotonicMs'>, observe: (afterMs: number) => void): Waker => {
  let looks = 0;
  let lastMs = 0;
  let nextMs = Number.NEGATIVE_INFINITY;
  return {
    wake: () => {
      const nowMs = clock.monotonicMs();
      // The one that is coming sees this change too.
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
