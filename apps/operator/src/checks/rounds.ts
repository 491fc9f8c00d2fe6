import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { cadence } from '@vdo/checks/check';

/** Groups run in common rounds, because each run connects to vCenter, however few calls it makes. */
export interface Rounds {
  /** The next run of a group that runs now: the round nearest to its period from now. */
  nextMs(everyMs: number): number;
  /** Whether a group with this next run may run now. */
  isNow(dueMs: number): boolean;
}

const periods = Object.values(cadence).map(({ everyMs }) => everyMs);
/** The shortest period; the others are multiples of it. */
const shortestMs = Math.min(...periods);
/** Tolerance: timers and passes are a little late or early. */
const toleranceMs = 30_000;

export const createRounds = ({ clock, random }: { readonly clock: Clock; readonly random: Random }): Rounds => {
  // One jitter for all groups spreads a fleet of clusters, and keeps the groups of one cluster together.
  const stretch = 1 + random.next() / 10;
  const roundMs = shortestMs * stretch;
  let firstMs: number | undefined;
  return {
    nextMs: (everyMs) => {
      const nowMs = clock.monotonicMs();
      firstMs ??= nowMs;
      return firstMs + Math.round((nowMs - firstMs + everyMs * stretch) / roundMs) * roundMs;
    },
    isNow: (dueMs) => clock.monotonicMs() >= dueMs - toleranceMs,
  };
};
