import type { Clock } from '@vdo/base/clock';

/**
 * Workloads are watched; why their pods do not start, and whether others still end, is not. That is looked at soon while it is
 * news, and the longer it lasts, the less often.
 */
const steps = [
  { looks: 4, everyMs: 15_000 },
  { looks: 4, everyMs: 30_000 },
] as const;
const longestMs = 60_000;
/** After so long without such a look everything is news again. */
const forgetMs = 10 * 60_000;

/** How long to wait until the next look at something that is on its way. */
export interface Patience {
  /** To be asked once a look. */
  waitMs(): number;
  /** It got on, or something new is wished. Pods that come and go are neither. */
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
