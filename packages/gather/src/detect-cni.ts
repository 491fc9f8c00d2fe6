import { cniDaemonSets, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { Node } from '@vdo/kube/types/core';
import { daemonSets } from '@vdo/kube/types/workloads';
import { hasNetwork } from './has-network.ts';

/** The pod network, whichever tool installed it. */
export interface CniObservation {
  /** Antrea, Calico, Cilium, Flannel, OVN-Kubernetes, NCP or unknown. */
  readonly name: string;
  readonly version?: string;
  /** The number of nodes, and of those where pods get a network. */
  readonly nodes: { readonly desired: number; readonly ready: number };
  /** The nodes without a network. */
  readonly without: readonly string[];
}

/** The namespace and name of each pod network's agent. */
export const cniAgents: readonly { readonly name: string; readonly namespace: string; readonly daemonSet: string }[] = [
  { name: 'Antrea', namespace: names.systemNamespace, daemonSet: cniDaemonSets.antrea },
  { name: 'Calico', namespace: 'calico-system', daemonSet: cniDaemonSets.calico },
  { name: 'Calico', namespace: names.systemNamespace, daemonSet: cniDaemonSets.calico },
  { name: 'Cilium', namespace: names.systemNamespace, daemonSet: cniDaemonSets.cilium },
  { name: 'Flannel', namespace: 'kube-flannel', daemonSet: cniDaemonSets.flannel },
  { name: 'Flannel', namespace: names.systemNamespace, daemonSet: cniDaemonSets.flannel },
  { name: 'OVN-Kubernetes', namespace: 'openshift-ovn-kubernetes', daemonSet: cniDaemonSets.ovnKubernetes },
  { name: 'OVN-Kubernetes', namespace: 'ovn-kubernetes', daemonSet: cniDaemonSets.ovnKubernetes },
  { name: 'NCP', namespace: 'nsx-system', daemonSet: cniDaemonSets.ncp },
];

const tagOf = (image: string): string | undefined => /:([\w][\w.-]{0,127})(@|$)/.exec(image)?.[1];

/** Which pod network runs. Agents are looked up by name, which needs only the permission `get`. */
export const findNetwork = async (
  kube: KubeClient,
  { signal }: { readonly signal: AbortSignal },
): Promise<Pick<CniObservation, 'name' | 'version'>> => {
  const found = await Promise.all(
    cniAgents.map(async ({ name, namespace, daemonSet }) => {
      const agent = await kube.find(daemonSets, { namespace, name: daemonSet }, { signal });
      return agent ? { name, agent } : undefined;
    }),
  );
  const running = found.find((one) => one !== undefined);
  if (!running) return { name: 'unknown' };
  const images = running.agent.spec.template.spec.containers.map(({ image }) => image);
  const version = images.flatMap((image) => tagOf(image) ?? [])[0];
  return { name: running.name, ...(version ? { version } : {}) };
};

/** On which nodes it is ready. */
export const networkNodes = (nodes: readonly Node[]): Pick<CniObservation, 'nodes' | 'without'> => ({
  nodes: { desired: nodes.length, ready: nodes.filter(hasNetwork).length },
  without: nodes.filter((node) => !hasNetwork(node)).map(({ metadata }) => metadata.name ?? ''),
});

/** Which pod network runs and on which nodes it is ready. */
export const detectCni = async (
  kube: KubeClient,
  nodes: readonly Node[],
  call: { readonly signal: AbortSignal },
): Promise<CniObservation> => ({ ...(await findNetwork(kube, call)), ...networkNodes(nodes) });
