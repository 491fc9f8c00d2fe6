import { type Clock, sleep } from '@vdo/base/clock';

export interface RateLimiter {
  /** Reserves a slot and returns the milliseconds until it. */
  reserveMs(): number;
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
  // The time at which the bucket was, or will be, full again: it advances one interval per request.
  let fullAtMs = Number.NEGATIVE_INFINITY;

  const reserveMs = (): number => {
    const nowMs = clock.monotonicMs();
    fullAtMs = Math.max(fullAtMs, nowMs) + intervalMs;
    const waitMs = fullAtMs - nowMs - burst * intervalMs;
    // Intervals are fractions of a millisecond: rounding errors must not start a timer.
    return waitMs > 1e-6 ? waitMs : 0;
  };

  return {
    reserveMs,
    take: async (options = {}) => {
      const waitMs = reserveMs();
      if (waitMs > 0) await sleep(clock, waitMs, options);
    },
  };
};
