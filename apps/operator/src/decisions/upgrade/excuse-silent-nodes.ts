import type { ComponentObservation } from '../../observation.ts';

/**
 * A rollout is complete if the only missing pods are on nodes that are not ready, where they cannot be replaced: one machine that
 * is off must not cause a rollback on all others. Its pod is replaced when the node returns.
 */
export const excuseSilentNodes = (
  running: readonly ComponentObservation[],
  /** How many pods of a workload are not ready and run on unresponsive nodes. */
  excusedOf: (component: ComponentObservation) => number,
): readonly ComponentObservation[] =>
  running.map((one) => {
    const excused = one.settled ? 0 : Math.min(excusedOf(one), one.missing);
    if (excused === 0) return one;
    // In the worst case each of them is neither updated nor ready.
    const remaining = Math.max(one.missing - excused, one.remaining - 3 * excused);
    return { ...one, excused, remaining, settled: excused === one.missing && one.missing < one.count.desired };
  });
