import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { type Pod, pods } from '@vdo/kube/types/core';

/** Native and upstream drivers have the same workload names, in different namespaces. */
const workloads = {
  operator: names.operator,
  cpi: names.cpi,
  'csi-controller': names.csiController,
  'csi-node': names.csiNode,
} as const;
export type Program = keyof typeof workloads;

const otherNamespaces = [names.systemNamespace, names.upstreamCsiNamespace];

const isOf = (pod: Pod, program: Program): boolean => {
  const name = pod.metadata.name ?? '';
  const workload = workloads[program];
  // ReplicaSets and DaemonSets append their own part to the name of the workload.
  return name === workload || new RegExp(`^${workload}-[a-z0-9]+(-[a-z0-9]+)?$`).test(name);
};

/** The pods of the operator and the drivers, in all namespaces. */
export const findProgramPods = async (
  kube: KubeClient,
  input: { readonly namespace: string; readonly programs: readonly Program[] },
  signal: AbortSignal,
): Promise<readonly Pod[]> => {
  const namespaces = [...new Set([input.namespace, ...otherNamespaces])];
  const lists = await Promise.all(namespaces.map((namespace) => kube.list(pods, { namespace, signal })));
  return lists.flatMap(({ items }) => items).filter((pod) => input.programs.some((program) => isOf(pod, program)));
};
