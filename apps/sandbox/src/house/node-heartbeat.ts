import { type Clock, sleep } from '@vdo/base/clock';
import type { KubeClient } from '@vdo/kube/client';
import { leases } from '@vdo/kube/types/cluster';

const everyMs = 10_000;
const namespace = 'kube-node-lease';

/** What a kubelet does to be taken for alive: renews a Lease for each of its nodes. Goes on after a failure, until aborted. */
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
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec };
    return kube.apply(leases, lease, { fieldManager: 'process-kubelet', force: true, signal });
  };
  while (!signal.aborted) {
    await Promise.allSettled(nodeNames.map(renew));
    await sleep(clock, everyMs, { signal }).catch(() => undefined);
  }
};

/** Of nodes that are gone. */
export const removeHeartbeats = async (
  kube: KubeClient,
  nodeNames: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  for (const name of nodeNames) await kube.delete(leases, { namespace, name }, { signal });
};
