import { every } from '@vdo/base/async/every';
import type { Clock } from '@vdo/base/clock';
import type { KubeClient } from '@vdo/kube/client';
import { leases } from '@vdo/kube/types/cluster';
import { sandboxMark } from './join-nodes.ts';

const periodMs = 10_000;
export const heartbeatNamespace = 'kube-node-lease';
const namespace = heartbeatNamespace;
const labels = { [sandboxMark]: 'true' };

/** Does what a kubelet does to keep its nodes alive: renews a Lease for each. Continues after a failure, until aborted. */
export const keepNodesAlive = async (
  {
    kube,
    clock,
    nodeNames,
  }: { readonly kube: KubeClient; readonly clock: Clock; readonly nodeNames: readonly string[] },
  signal: AbortSignal,
): Promise<void> => {
  const renew = async (name: string): Promise<unknown> => {
    // Leases have microseconds.
    const renewTime = new Date(clock.now()).toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace, labels }, spec };
    return kube.apply(leases, lease, { fieldManager: 'process-kubelet', force: true, signal });
  };
  await every(() => Promise.allSettled(nodeNames.map(renew)), { clock, periodMs }, signal);
};

/** Deletes the Leases at the end. They may exist without their nodes if a sandbox ends before its nodes have joined. */
export const removeHeartbeats = async (
  kube: KubeClient,
  nodes: readonly { readonly name: string }[],
  signal: AbortSignal,
): Promise<void> => {
  const { items } = await kube.list(leases, { namespace, labelSelector: `${sandboxMark}=true`, signal });
  const own = items.filter(({ metadata }) => nodes.some(({ name }) => name === metadata.name));
  for (const { metadata } of own) await kube.delete(leases, { namespace, name: metadata.name ?? '' }, { signal });
};
