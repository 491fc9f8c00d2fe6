import type { Node } from '@vdo/kube/types/core';
import type { ReadyCount } from '../observation.ts';

/** The pod network, whoever installed it. */
export interface CniObservation {
  /** Antrea, Calico, Cilium, Flannel, OVN-Kubernetes, NCP or unknown. */
  readonly name: string;
  readonly version?: string;
  /** Nodes, and those of them where pods get a network. */
  readonly nodes: ReadyCount;
  /** The nodes without. */
  readonly without: readonly string[];
}

const isAgentTaint = (key: string): boolean =>
  key === 'node.cilium.io/agent-not-ready' || key === 'node.antrea.io/agent-not-ready';

/** Whether pods of a node get a network: the kubelet, the cloud provider and the agents each have their way to say so. */
export const hasNetwork = ({ spec, status }: Node): boolean => {
  const conditions = status?.conditions ?? [];
  const unavailable = conditions.some(({ type, status: value }) => type === 'NetworkUnavailable' && value === 'True');
  const kubeletWaits = conditions.some(
    ({ type, status: value, message = '' }) =>
      type === 'Ready' && value !== 'True' && /NetworkPluginNotReady|network plugin|cni/i.test(message),
  );
  return !unavailable && !kubeletWaits && !(spec.taints ?? []).some(({ key }) => isAgentTaint(key));
};
