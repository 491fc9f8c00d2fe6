import type { Node, PersistentVolume, Pod } from '@vdo/kube/types/core';
import { isSelected, repellingTaints } from '@vdo/kube-sim/controllers/placement';

/** A volume may be accessible only from some nodes. */
const reaches = (node: Node, { spec }: PersistentVolume): boolean => {
  const requiredDuringSchedulingIgnoredDuringExecution = spec.nodeAffinity?.required;
  return (
    requiredDuringSchedulingIgnoredDuringExecution === undefined ||
    isSelected(node, { containers: [], affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } } })
  );
};

export interface ScheduleFacts {
  readonly nodes: readonly Node[];
  /** Volumes the pod mounts. */
  readonly volumes?: readonly PersistentVolume[];
  /** Number of pods per node, to distribute them evenly. */
  readonly load?: ReadonlyMap<string, number>;
}

/** They run on cordoned nodes, too. */
const isOfDaemonSet = ({ metadata }: Pod): boolean =>
  metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true;

/** The node with the fewest pods whose labels and taints allow the pod and from which its volumes are accessible. */
export const chooseNode = (pod: Pod, { nodes, volumes = [], load = new Map() }: ScheduleFacts): Node | undefined => {
  const loadOf = ({ metadata }: Node): number => load.get(metadata.name ?? '') ?? 0;
  return nodes
    .filter((node) => isSelected(node, pod.spec))
    .filter((node) => !node.spec.unschedulable || isOfDaemonSet(pod))
    .filter((node) => repellingTaints(node, pod.spec.tolerations ?? []).length === 0)
    .filter((node) => volumes.every((volume) => reaches(node, volume)))
    .sort((a, b) => loadOf(a) - loadOf(b))[0];
};
