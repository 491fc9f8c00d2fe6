import { names, taintKeys } from '@vdo/config/names';
import type { Node } from '@vdo/kube/types/core';
import type { NodesObservation } from '../observation.ts';

export const uninitializedTaint = taintKeys.uninitialized;
const stuckAfterMs = 5 * 60_000;

const isInitialized = (node: Node): boolean =>
  (node.spec.providerID ?? '').startsWith(names.providerIdPrefix) &&
  !(node.spec.taints ?? []).some(({ key }) => key === uninitializedTaint);

const problemOf = (node: Node, nowMs: number): NodesObservation['failing'][number] | undefined => {
  const name = node.metadata.name ?? '';
  const providerId = node.spec.providerID ?? '';
  if (providerId !== '' && !providerId.startsWith(names.providerIdPrefix)) {
    return {
      name,
      reason: 'NodeForeignProviderId',
      message: `its providerID ${providerId} was set by another cloud provider; expected vsphere://<uuid>`,
      remedy: `Disable the other cloud provider, then kubectl delete node ${name} and restart its kubelet.`,
    };
  }
  const ageMs = nowMs - Date.parse(node.metadata.creationTimestamp ?? new Date(nowMs).toISOString());
  if (isInitialized(node) || ageMs < stuckAfterMs) return undefined;
  return {
    name,
    reason: 'NodeVmNotFound',
    message: `it has been waiting for ${Math.floor(ageMs / 60_000)} minutes to be initialized`,
    remedy: `To see the reason in its events: kubectl describe node ${name}.`,
  };
};

/** Which nodes the cloud controller manager has initialized, and what is wrong with the others. At most 50 are named. */
export const decideNodes = (nodes: readonly Node[], nowMs: number): NodesObservation => ({
  total: nodes.length,
  initialized: nodes.filter(isInitialized).length,
  failing: nodes.flatMap((node) => problemOf(node, nowMs) ?? []).slice(0, 50),
});

/** Whether condition Ready of a node is False or Unknown. A node without that condition counts as ready. */
export const isSilent = ({ status }: Node): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status !== 'True') ?? false;
