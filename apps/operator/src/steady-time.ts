import type { Clock } from '@vdo/base/clock';

/**
 * The time of day as it was when the process began, moved on by the monotonic clock: deadlines are measured by it, because a
 * wall clock that somebody sets is no progress of time.
 */
export interface SteadyTime {
  readonly nowMs: () => number;
  /** When this process began to lead. What it did not see itself it knows by the clock of another. */
  readonly sinceMs: () => number;
  readonly beginTerm: () => void;
}

export const createSteadyTime = (clock: Clock): SteadyTime => {
  const wallMs = clock.now();
  const startMs = clock.monotonicMs();
  const nowMs = () => wallMs + clock.monotonicMs() - startMs;
  let termMs = wallMs;
  return {
    nowMs,
    sinceMs: () => termMs,
    beginTerm: () => {
      termMs = nowMs();
    },
  };
};
