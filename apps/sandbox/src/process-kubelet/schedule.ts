import type { Node, Pod, Taint, Toleration } from '@vdo/kube/types/core';

const tolerates = (toleration: Toleration, taint: Taint): boolean => {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (!toleration.key) return toleration.operator === 'Exists';
  if (toleration.key !== taint.key) return false;
  return toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? '');
};

const accepts = (node: Node, pod: Pod): boolean => {
  const tolerations = pod.spec.tolerations ?? [];
  const blocking = (node.spec.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule');
  const labels = node.metadata.labels ?? {};
  const selected = Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  return selected && blocking.every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
};

interface FieldAffinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms?: readonly {
        readonly matchFields?: readonly { readonly key: string; readonly values?: readonly string[] }[];
      }[];
    };
  };
}

/** The DaemonSet controller names the node of each pod in a field affinity. */
const boundNodeName = (pod: Pod): string | undefined =>
  (
    pod.spec.affinity as FieldAffinity | undefined
  )?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
    ?.flatMap(({ matchFields }) => matchFields ?? [])
    .find(({ key }) => key === 'metadata.name')?.values?.[0];

/** The node a pod goes to: the one its DaemonSet names, else the first whose labels and taints allow it. */
export const chooseNode = (pod: Pod, nodes: readonly Node[]): Node | undefined => {
  const wanted = boundNodeName(pod);
  return nodes
    .filter((node) => wanted === undefined || node.metadata.name === wanted)
    .find((node) => accepts(node, pod));
};
