import { podFacts } from '@vdo/checks/facts/pod-facts';
import type { KubeClient } from '@vdo/kube/client';
import { type Node, pods } from '@vdo/kube/types/core';
import { driverLabel } from '@vdo/releases/render/shared/labels';
import { isSilent } from '../decisions/nodes.ts';
import type { ComponentObservation } from '../observation.ts';

const pageSize = 500;

/** Counts the pods of each node agent that are not ready and whose node does not respond. Reads pods only if there are both. */
export const excusedPods = async (
  { kube, nodes }: { readonly kube: KubeClient; readonly nodes: () => readonly Node[] },
  running: readonly ComponentObservation[],
  { signal }: { readonly signal: AbortSignal },
): Promise<(component: ComponentObservation) => number> => {
  const silent = new Set(
    nodes()
      .filter(isSilent)
      .map(({ metadata }) => metadata.name),
  );
  const unsettled = running.filter(({ component, settled }) => component === 'csi-node' && !settled);
  const counts = new Map<string, number>();
  if (silent.size === 0) return () => 0;
  for (const namespace of new Set(unsettled.map((one) => one.namespace)))
    for await (const { items } of kube.pages(pods, {
      namespace,
      labelSelector: `${driverLabel}=csi`,
      limit: pageSize,
      signal,
    }))
      for (const pod of items) {
        const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
        if (owner && podFacts(pod) && silent.has(pod.spec.nodeName)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      }
  return ({ uid = '' }) => counts.get(uid) ?? 0;
};
