import type { Clock } from '@vdo/base/clock';
import type { ComponentObservation } from '../observation.ts';

/** A single pod that is replaced is away for a moment: so long, at most, that is no outage. */
const graceMs = 60_000;
/** As long as Kubernetes waits for a Deployment; a DaemonSet is given up by nobody else. */
const overdueMs = 10 * 60_000;

interface Seen {
  readonly generation: number;
  /** Since when this generation is known, by the monotonic clock. */
  readonly sinceMs: number;
  /** Every pod of this generation was ready once: what is missing since then is an outage, not a rollout. */
  readonly settled: boolean;
  /** The fewest pods that were missing, and since when there are no fewer. */
  readonly missing: number;
  readonly movedMs: number;
}

/** Tells by time what one look at a workload cannot: whether its template is being rolled out, and whether that is stuck. */
export interface RolloutMemory {
  see(components: readonly ComponentObservation[]): readonly ComponentObservation[];
}

export const createRolloutMemory = (clock: Pick<Clock, 'monotonicMs'>): RolloutMemory => {
  let known: Map<string, Seen> | undefined;

  const next = (one: ComponentObservation, before: Seen | undefined, nowMs: number): Seen => {
    if (before?.generation !== one.generation)
      return {
        generation: one.generation,
        sinceMs: nowMs,
        // Of a workload that was there before this process nobody knows: pods that are all of the template have been counted.
        // One that comes later, as at a switch of the distribution, has yet to start its pods.
        settled: one.settled || (known === undefined && one.allUpdated),
        missing: one.missing,
        movedMs: nowMs,
      };
    const moved = one.missing < before.missing;
    return {
      ...before,
      settled: before.settled || one.settled,
      ...(moved ? { missing: one.missing, movedMs: nowMs } : {}),
    };
  };

  return {
    see: (components) => {
      const nowMs = clock.monotonicMs();
      const seen = new Map<string, Seen>();
      const reported = components.map((one) => {
        const id = `${one.kind} ${one.namespace}/${one.name} ${one.uid}`;
        const now = next(one, known?.get(id), nowMs);
        seen.set(id, now);
        const changing = !now.settled && nowMs - now.sinceMs < graceMs;
        return { ...one, changing, overdue: one.overdue || (!one.settled && nowMs - now.movedMs >= overdueMs) };
      });
      known = seen;
      return reported;
    },
  };
};
