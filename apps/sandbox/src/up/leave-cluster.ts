import { createActLog } from '@vdo/acts/act-log';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { withdrawNode } from '@vdo/acts/objects/delete-node';
import { withoutClusterId } from '@vdo/acts/sole-use';
import { waitUntil } from '@vdo/base/async/wait-until';
import { openFence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import { refOf } from '@vdo/kube/apply/object-ref';
import { inApplyOrder } from '@vdo/kube/apply/phases';
import { leases } from '@vdo/kube/types/cluster';
import { type Node, namespaces, nodes } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { csiNodes } from '@vdo/kube/types/storage';
import { type JoiningNode, sandboxMark } from '../environment/join-nodes.ts';
import { heartbeatNamespace, removeHeartbeats } from '../environment/node-heartbeat.ts';
import { cpiLease } from '../environment/outside-cluster.ts';
import type { TakeDownOptions } from './take-down.ts';

interface LeaveOptions extends Omit<TakeDownOptions, 'volumesLeft' | 'hasDemo'> {
  readonly operatorObjects: readonly AnyObject[];
  /** The nodes that this sandbox registered, if any. */
  readonly joined: readonly JoiningNode[];
  readonly random: Random;
  /** Stops the pods of our nodes, and their heartbeats. */
  readonly stopNodes: () => Promise<void>;
}

/** A kubelet renews its Lease every ten seconds; after this time without renewal, it counts as dead. */
const deadAfterMs = 10 * 60_000;

/** The VM UUID of a sandbox node; undefined for other nodes. */
const uuidOf = ({ metadata, status }: Node): string | undefined =>
  metadata.labels?.[sandboxMark] === undefined ? undefined : (status?.nodeInfo?.systemUUID ?? '');

/** Deletes a node: one that this sandbox has stopped, or one left by a killed sandbox. */
const withdraw = async (
  { kube: client, clock, random, joined }: LeaveOptions,
  name: string,
  signal: AbortSignal,
): Promise<void> => {
  const deps = { client, clock, random, fence: openFence, log: createActLog(), soleUse: withoutClusterId };
  const attempt = beginAttempt(deps, { act: 'delete Node', subject: name, signal });
  const seen = await attempt.read(nodes, { name });
  const systemUuid = seen.kind === 'seen' ? uuidOf(seen.object) : undefined;
  if (seen.kind === 'absent' || systemUuid === undefined) return;
  const own = joined.find((node) => node.name === name);
  // Another sandbox may be in the cluster, too.
  if (own && own.uuid.toLowerCase() !== systemUuid.toLowerCase()) return;
  const lease = await attempt.read(leases, { namespace: heartbeatNamespace, name });
  const renewedMs = lease.kind === 'seen' ? Date.parse(lease.object.spec?.renewTime ?? '') || 0 : 0;
  if (!own && clock.now() - renewedMs < deadAfterMs) return;
  await withdrawNode(attempt, seen, { label: sandboxMark, systemUuid, because: [lease] });
  await client.delete(csiNodes, { name }, { signal });
  if (lease.kind === 'seen') await client.delete(leases, lease.key, { uid: lease.uid, signal });
};

/** Removes the operator and the nodes from an external cluster; the drivers are already removed. */
export const leaveCluster = async (options: LeaveOptions, signal: AbortSignal): Promise<void> => {
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
  const remedy = 'The cluster is still deleting it. To see the progress: kubectl get namespaces';
  for (const { name } of refs.filter(({ kind }) => kind === 'Namespace')) {
    const isGone = async () => (await kube.find(namespaces, { name }, { signal })) === undefined;
    await waitUntil(isGone, { what: `namespace ${name} to be removed`, remedy, timeoutMs, clock, signal });
  }
  await options.stopNodes();
  const marked = (await kube.list(nodes, { labelSelector: `${sandboxMark}=true`, signal })).items;
  for (const { metadata } of marked) await withdraw(options, metadata.name ?? '', signal);
  await removeHeartbeats(kube, options.joined, signal);
  await kube.delete(leases, cpiLease, { signal });
  progress.done('operator and nodes removed from the cluster');
};
