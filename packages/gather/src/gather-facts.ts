import type { CheckGroup } from '@vdo/checks/check';
import type { ClusterFacts } from '@vdo/checks/facts';
import type { KubeFacts } from '@vdo/checks/facts/kube-facts';
import { type Reading, valueIn } from '@vdo/checks/facts/reading';
import type { Node } from '@vdo/kube/types/core';
import { askDns, proposePods } from './ask-cluster.ts';
import type { GatherDeps } from './gather-deps.ts';
import { gatherVCenters } from './gather-vcenters.ts';
import { createKubeReadings, type KubeReadings } from './read-kube.ts';
import { readWorkloads } from './read-workloads.ts';

export interface GatherScope {
  /** Facts of other groups are left out. */
  readonly groups: readonly CheckGroup[];
  /** Leaves out the lists of all volumes, which grow with the cluster. Default false. */
  readonly withoutVolumes?: boolean;
}

type Needs = (...groups: readonly CheckGroup[]) => boolean;

const readStorage = async (
  read: KubeReadings,
  { wanted, withoutVolumes }: { readonly wanted: boolean; readonly withoutVolumes: boolean },
): Promise<KubeFacts> => {
  if (!wanted) return {};
  if (withoutVolumes) return { storageClasses: await read.storageClasses() };
  const [storageClasses, persistentVolumes, attachments, clusterId, clusterIdSharedBy] = await Promise.all([
    read.storageClasses(),
    read.persistentVolumes(),
    read.attachments(),
    read.clusterId(),
    read.clusterIdSharedBy(),
  ]);
  return { storageClasses, persistentVolumes, attachments, clusterId, clusterIdSharedBy };
};

const readCluster = async (
  deps: GatherDeps,
  { needs, withoutVolumes }: { readonly needs: Needs; readonly withoutVolumes: boolean },
  signal: AbortSignal,
): Promise<KubeFacts> => {
  const read = createKubeReadings(deps, signal);
  const [storage, runs, registered, crds, version, dns, admission] = await Promise.all([
    readStorage(read, { wanted: needs('storage') && deps.spec.csi !== undefined, withoutVolumes }),
    needs('csi', 'versions', 'cluster') ? readWorkloads(deps, signal) : undefined,
    needs('csi') ? read.registrations() : undefined,
    needs('csi') ? read.snapshotCrds() : undefined,
    needs('versions') ? read.serverVersion() : undefined,
    needs('cluster') ? askDns(deps, signal) : undefined,
    needs('cluster') ? proposePods(deps, signal) : undefined,
  ]);
  const pods = needs('csi', 'versions') ? await read.unreadyPods(valueIn(runs?.workloads) ?? []) : undefined;
  return {
    ...storage,
    ...runs,
    ...(registered ? { registrations: registered } : {}),
    ...(crds ? { snapshotCrds: crds } : {}),
    ...(version ? { serverVersion: version } : {}),
    ...(dns ? { dns } : {}),
    ...(admission ? { admission } : {}),
    ...(pods ? { unreadyPods: pods } : {}),
  };
};

const readNodes = (deps: GatherDeps, signal: AbortSignal): Promise<Reading<readonly Node[]>> =>
  deps.nodes ? Promise.resolve({ value: deps.nodes }) : createKubeReadings(deps, signal).nodes();

/**
 * Reads the cluster and its vCenters, with as few calls as the groups need. Throws only if cancelled: a failed read
 * is stored as a reading with its error, and a vCenter that fails does not affect the others.
 */
export const gatherFacts = async (
  deps: GatherDeps,
  scope: GatherScope,
  options: { readonly signal: AbortSignal },
): Promise<ClusterFacts> => {
  // Many reads run at the same time, and each of them listens to the signal.
  const signal = AbortSignal.any([options.signal]);
  const needs: Needs = (...groups) => groups.some((group) => scope.groups.includes(group));
  const { withoutVolumes = false } = scope;
  const needsVCenters = needs('vcenter', 'credentials', 'privileges', 'node', 'topology', 'storage');
  const needsNodes = needs('privileges', 'node', 'topology', 'storage', 'csi', 'versions', 'cluster');
  const [read, listed] = await Promise.all([
    readCluster(deps, { needs, withoutVolumes }, signal),
    needsNodes ? readNodes(deps, signal) : undefined,
  ]);
  const nodes = valueIn(listed) ?? [];
  const nodeCount = listed && 'error' in listed ? listed : { value: nodes.length };
  const kube: KubeFacts = listed ? { ...read, nodeCount } : read;
  const seen: Pick<ClusterFacts, 'vcenters' | 'accounts' | 'nodes'> = needsVCenters
    ? await gatherVCenters(deps, { kube, nodes, needs, withoutVolumes }, signal)
    : { vcenters: [], nodes: nodes.map((node) => ({ node })) };
  signal.throwIfAborted();
  return {
    nowMs: deps.clock.now(),
    spec: deps.spec,
    namespace: deps.namespace,
    ...seen,
    kube,
    releases: deps.releases,
  };
};
