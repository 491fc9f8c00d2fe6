import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { type DaemonSet, type Deployment, daemonSets, deployments } from '@vdo/kube/types/workloads';
import { distributionLabel, driverLabel, versionLabel } from '@vdo/releases/render/shared/labels';
import { foreignManagerOf, formerManager } from '../decisions/foreign-manager.ts';
import { versionFromImages } from '../decisions/version-from-images.ts';
import type { Component, ComponentObservation } from '../observation.ts';

type Workload = Deployment | DaemonSet;

const isDaemonSet = (workload: Workload): workload is DaemonSet => workload.kind === 'DaemonSet';

/** The namespaces in which the upstream manifests, the Helm charts and upstream VDO install the drivers. */
const upstreamPlaces = [
  { resource: deployments, namespace: names.upstreamCsiNamespace, name: names.csiController },
  { resource: daemonSets, namespace: names.upstreamCsiNamespace, name: names.csiNode },
  { resource: daemonSets, namespace: names.systemNamespace, name: names.cpi },
  { resource: deployments, namespace: names.systemNamespace, name: names.cpi },
] as const;

const componentOf = (workload: Workload): Component => {
  const { labels, name = '' } = workload.metadata;
  if ((labels?.[driverLabel] ?? (name === names.cpi ? 'cpi' : 'csi')) === 'cpi') return 'cpi';
  return isDaemonSet(workload) ? 'csi-node' : 'csi-controller';
};

/** Zero of zero does not count as complete: a selector that matches no node proves nothing. */
const isServed = (allUpdated: boolean, { desired, ready }: { readonly desired: number; readonly ready: number }) =>
  allUpdated && desired > 0 && ready >= desired;

// Pods of the old template may still serve: only observedGeneration and the updated counts show that a rollout is complete.
const rolloutOf = (workload: Workload) => {
  const observed = (workload.status?.observedGeneration ?? 0) >= (workload.metadata.generation ?? 0);
  if (isDaemonSet(workload)) {
    const {
      desiredNumberScheduled: desired = 0,
      updatedNumberScheduled: updated = 0,
      numberReady: ready = 0,
    } = workload.status ?? {};
    const allUpdated = observed && updated >= desired;
    return { observed, desired, ready, settled: isServed(allUpdated, { desired, ready }), updated, allUpdated };
  }
  const desired = workload.spec.replicas ?? 1;
  const { updatedReplicas: updated = 0, readyReplicas: ready = 0, replicas: total = 0 } = workload.status ?? {};
  const allUpdated = observed && updated >= desired && total <= updated;
  return { observed, desired, ready, settled: isServed(allUpdated, { desired, ready }), updated, allUpdated };
};

/** Why a workload has no pods although none is missing: this must not count as success. */
const emptiness = (workload: Workload): string =>
  isDaemonSet(workload) ? 'its selector matches no node' : 'spec.replicas is 0';

const isOverdue = (workload: Workload): boolean =>
  !isDaemonSet(workload) &&
  (workload.status?.conditions ?? []).some(
    ({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded',
  );

/** The operator of upstream VDO. While it runs, it recreates its drivers. */
const formerOperator = names.upstreamOperator;
const isFormer = ({ metadata, spec }: Deployment): boolean => metadata.name === formerOperator && spec.replicas !== 0;

const observe = (workload: Workload, former: boolean): ComponentObservation => {
  const { labels = {}, name = '', namespace = '', uid } = workload.metadata;
  const { observed, desired, ready, settled, updated, allUpdated } = rolloutOf(workload);
  const ours = labels[driverLabel] !== undefined;
  const images = workload.spec.template.spec.containers.map(({ image }) => image);
  const fromImages = versionFromImages(images);
  const version = ours ? labels[versionLabel]?.replaceAll('_', '+') : fromImages.version;
  const manager = foreignManagerOf(workload.metadata) ?? (former && !ours ? formerManager : undefined);
  return {
    component: componentOf(workload),
    kind: isDaemonSet(workload) ? 'DaemonSet' : 'Deployment',
    namespace,
    name,
    ...(uid ? { uid } : {}),
    ours,
    ...(manager ? { manager } : {}),
    distribution: ours ? (labels[distributionLabel] === 'upstream' ? 'Upstream' : 'Native') : fromImages.distribution,
    ...(version ? { version } : {}),
    images,
    count: { desired, ready },
    settled,
    generation: workload.metadata.generation ?? 0,
    allUpdated,
    overdue: isOverdue(workload),
    ...(observed && desired === 0 ? { empty: true } : {}),
    progress: desired === 0 ? emptiness(workload) : `${updated}/${desired} updated, ${ready} ready`,
    remaining: observed ? 2 * (desired - Math.min(desired, updated)) + desired - Math.min(desired, ready) : 3 * desired,
    missing: observed ? desired - Math.min(desired, updated, ready) : desired,
  };
};

// Items of a list have no kind.
const withKind = <T extends KubeObject>(items: readonly T[], { kind }: Resource<T>): readonly T[] =>
  items.map((item) => ({ ...item, kind }));

/** Reads the workloads of the drivers from the cluster, whoever installed them. */
export const observeComponents = async (
  kube: KubeClient,
  options: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<readonly ComponentObservation[]> => {
  const { namespace, signal } = options;
  const [here, ownDaemonSets, ...elsewhere] = await Promise.all([
    kube.list(deployments, { namespace, signal }),
    kube.list(daemonSets, { namespace, labelSelector: driverLabel, signal }),
    ...upstreamPlaces.map(({ resource, ...key }) => kube.find<Workload>(resource, key, { signal })),
  ]);
  const workloads: readonly Workload[] = [
    ...withKind(here.items, deployments).filter(({ metadata }) => metadata.labels?.[driverLabel] !== undefined),
    ...withKind(ownDaemonSets.items, daemonSets),
    ...elsewhere.flatMap((found) => found ?? []),
  ];
  const former = here.items.some(isFormer);
  return workloads.map((workload) => observe(workload, former));
};
