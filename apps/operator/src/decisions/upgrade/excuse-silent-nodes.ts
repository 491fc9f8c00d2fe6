import type { ComponentObservation } from '../../observation.ts';

/**
 * A rollout is over when only pods are missing that cannot be replaced, because their nodes are not ready: one machine that
 * is off must not take a good release back from all others. Its pod comes with the node.
 */
export const excuseSilentNodes = (
  running: readonly ComponentObservation[],
  /** How many pods of a workload are not ready and sit on silent nodes. */
  excusedOf: (component: ComponentObservation) => number,
): readonly ComponentObservation[] =>
  running.map((one) => {
    const excused = one.settled ? 0 : Math.min(excusedOf(one), one.missing);
    if (excused === 0) return one;
    // At worst each of them is neither of the new template nor ready.
    const remaining = Math.max(one.missing - excused, one.remaining - 3 * excused);
    return { ...one, excused, remaining, settled: excused === one.missing && one.missing < one.count.desired };
  });
