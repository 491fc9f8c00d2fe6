import type { Clock } from '@vdo/base/clock';
import type { ComponentObservation } from '../observation.ts';

/** How long a single pod may be missing while it is replaced without counting as an outage. */
const graceMs = 60_000;
/** The progress deadline of a Deployment in Kubernetes; DaemonSets have none of their own. */
const overdueMs = 10 * 60_000;

interface Seen {
  readonly generation: number;
  /** Since when this generation is known, or the first of several in a row of which no pods were all ready, by the monotonic clock. */
  readonly sinceMs: number;
  /** Every pod was ready at the last look. */
  readonly whole: boolean;
  /** Every pod of this generation was ready once: pods missing since then are an outage, not a rollout. */
  readonly settled: boolean;
  /** The smallest number of missing pods so far, and since when. */
  readonly missing: number;
  readonly movedMs: number;
}

/** Derives from several reads over time whether the template of a workload is rolling out, and whether the rollout is stuck. */
export interface RolloutMemory {
  see(components: readonly ComponentObservation[]): readonly ComponentObservation[];
}

export const createRolloutMemory = (clock: Pick<Clock, 'monotonicMs'>): RolloutMemory => {
  let known: Map<string, Seen> | undefined;

  const next = (one: ComponentObservation, before: Seen | undefined, nowMs: number): Seen => {
    if (before?.generation !== one.generation)
      return {
        generation: one.generation,
        // Whoever changes it again and again does not make an outage a rollout.
        sinceMs: before && !before.whole ? before.sinceMs : nowMs,
        whole: one.settled,
        // For a workload older than this process: if all pods are updated, its rollout counts as complete.
        // A workload that is created later, as at a switch of the distribution, still has to start its pods.
        settled: one.settled || (known === undefined && one.allUpdated),
        missing: one.missing,
        movedMs: nowMs,
      };
    const moved = one.missing < before.missing;
    return {
      ...before,
      whole: one.settled,
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
