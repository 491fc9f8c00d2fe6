import { waitUntil } from '@vdo/base/async/wait-until';
import { isVdoError } from '@vdo/base/vdo-error';
import { refOf } from '@vdo/kube/apply/object-ref';
import { inApplyOrder } from '@vdo/kube/apply/phases';
import { leases } from '@vdo/kube/types/cluster';
import { namespaces, nodes } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { csiNodes } from '@vdo/kube/types/storage';
import { sandboxMark } from '../house/join-nodes.ts';
import { removeHeartbeats } from '../house/node-heartbeat.ts';
import { cpiLease } from '../house/outside-cluster.ts';
import type { TakeDownOptions } from './take-down.ts';

/** Removes the operator and the nodes from a cluster of somebody else; the drivers are gone already. */
export const leaveCluster = async (
  options: Omit<TakeDownOptions, 'volumesLeft' | 'hasDemo'> & {
    readonly operatorObjects: readonly AnyObject[];
    /** Ends what runs on our nodes, and their heartbeats. */
    readonly stopNodes: () => Promise<void>;
  },
  signal: AbortSignal,
): Promise<void> => {
  const { kube, progress, clock, stepTimeoutMs: timeoutMs } = options;
  progress.update('Removing the operator from the cluster');
  const refs = inApplyOrder(options.operatorObjects.map(refOf), (ref) => ref).toReversed();
  for (const { apiVersion, kind, name, namespace } of refs) {
    const resource = await kube.resourceFor(apiVersion, kind, { signal }).catch((error: unknown) => {
      if (isVdoError(error, 'KubeResourceMissing')) return undefined;
      throw error;
    });
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    if (resource) await kube.delete(resource, key, { signal, propagation: 'Foreground' });
  }
  const remedy = 'The cluster is at it still: see kubectl get namespaces.';
  for (const { name } of refs.filter(({ kind }) => kind === 'Namespace')) {
    const isGone = async () => (await kube.find(namespaces, { name }, { signal })) === undefined;
    await waitUntil(isGone, { what: `namespace ${name} to be removed`, remedy, timeoutMs, clock, signal });
  }
  await options.stopNodes();
  const ours = (await kube.list(nodes, { labelSelector: `${sandboxMark}=true`, signal })).items;
  const names = ours.map(({ metadata }) => metadata.name ?? '');
  for (const name of names) {
    await kube.delete(nodes, { name }, { signal });
    await kube.delete(csiNodes, { name }, { signal });
  }
  await removeHeartbeats(kube, signal);
  await kube.delete(leases, cpiLease, { signal });
  progress.done('the operator and the nodes are gone from the cluster');
};
