import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { cadence } from '@vdo/checks/check';

/** Groups run in common rounds, because each look connects to vCenter, however little it asks there. */
export interface Rounds {
  /** When a group that runs now is due again: at the round nearest to its period from now. */
  nextMs(everyMs: number): number;
  /** A group that is due then may run now. */
  isNow(dueMs: number): boolean;
}

const periods = Object.values(cadence).map(({ everyMs }) => everyMs);
/** The shortest period; the others are multiples of it. */
const shortestMs = Math.min(...periods);
/** Timers and looks are a little late or early. */
const toleranceMs = 30_000;

export const createRounds = ({ clock, random }: { readonly clock: Clock; readonly random: Random }): Rounds => {
  // Jitter once, for all groups: a fleet of clusters spreads, and the groups of one cluster stay together.
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
