import type { ComponentObservation } from '../../observation.ts';

/**
 * A rollout is over when only pods are missing that cannot be replaced, because their nodes are not ready: one machine that
 * is off must not take a good release back from all others. Its pod comes with the node.
 */
export const excuseSilentNodes = (
  running: readonly ComponentObservation[],
  silentNodes: number,
): readonly ComponentObservation[] =>
  running.map((one) =>
    one.component === 'csi-node' && !one.settled && one.missing > 0 && one.missing <= silentNodes
      ? { ...one, settled: one.missing < one.count.desired }
      : one,
  );
