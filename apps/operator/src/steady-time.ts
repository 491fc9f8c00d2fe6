import type { Clock } from '@vdo/base/clock';

/**
 * The time of day as it was when the process began, moved on by the monotonic clock: deadlines are measured by it, because a
 * wall clock that somebody sets is no progress of time.
 */
export const createSteadyTime = (clock: Clock): { readonly nowMs: () => number; readonly sinceMs: number } => {
  const sinceMs = clock.now();
  const startMs = clock.monotonicMs();
  return { nowMs: () => sinceMs + clock.monotonicMs() - startMs, sinceMs };
};
