import { type Clock, sleep } from '@vdo/base/clock';

export interface RateLimiter {
  /** Resolves when the caller may send one request; callers are served in order. */
  take(options?: { readonly signal?: AbortSignal }): Promise<void>;
}

export interface RateLimiterOptions {
  readonly clock: Clock;
  /** Requests per second in the long run. */
  readonly qps: number;
  /** Requests that may go out at once after a pause. */
  readonly burst: number;
}

/** A token bucket: `burst` at once, then `qps` each second. */
export const createRateLimiter = ({ clock, qps, burst }: RateLimiterOptions): RateLimiter => {
  const intervalMs = 1000 / qps;
  // The time at which the bucket was, or will be, full again: it moves one interval per request.
  let fullAtMs = Number.NEGATIVE_INFINITY;

  return {
    take: async (options = {}) => {
      const nowMs = clock.monotonicMs();
      fullAtMs = Math.max(fullAtMs, nowMs) + intervalMs;
      const waitMs = fullAtMs - nowMs - burst * intervalMs;
      // Tokens are fractions of a millisecond: rounding errors must not start a timer.
      if (waitMs > 1e-6) await sleep(clock, waitMs, options);
    },
  };
};
