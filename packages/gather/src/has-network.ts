import type { Node } from '@vdo/kube/types/core';

const isAgentTaint = (key: string): boolean =>
  key === 'node.cilium.io/agent-not-ready' || key === 'node.antrea.io/agent-not-ready';

/** Whether pods of a node get a network: the kubelet, the cloud provider and the agents each report it in their own way. */
export const hasNetwork = ({ spec, status }: Node): boolean => {
  const conditions = status?.conditions ?? [];
  const unavailable = conditions.some(({ type, status: value }) => type === 'NetworkUnavailable' && value === 'True');
  const kubeletWaits = conditions.some(
    ({ type, status: value, message = '' }) =>
      type === 'Ready' && value !== 'True' && /NetworkPluginNotReady|network plugin|cni/i.test(message),
  );
  return !unavailable && !kubeletWaits && !(spec.taints ?? []).some(({ key }) => isAgentTaint(key));
};
