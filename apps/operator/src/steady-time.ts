import type { Clock } from '@vdo/base/clock';

/**
 * The wall-clock time at which the process began, advanced by the monotonic clock. Deadlines are measured by it, because
 * setting the wall clock does not make time pass.
 */
export interface SteadyTime {
  readonly nowMs: () => number;
  /** When this process became leader. Earlier times were recorded by the clock of another process. */
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
