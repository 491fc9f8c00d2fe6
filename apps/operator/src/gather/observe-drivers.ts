import type { KubeClient } from '@vdo/kube/client';
import { type DaemonSet, type Deployment, daemonSets, deployments } from '@vdo/kube/types/workloads';
import { distributionLabel, driverLabel, versionLabel } from '@vdo/releases/render/labels';
import type { DriverObservation, ReadyCount } from '../observation.ts';

type Kind = DriverObservation['kind'];

const ofKind = <T extends Deployment | DaemonSet>(objects: readonly T[], kind: Kind): readonly T[] =>
  objects.filter(({ metadata }) => metadata.labels?.[driverLabel] === kind.toLowerCase());

const sum = (counts: readonly ReadyCount[]): ReadyCount | undefined =>
  counts.length === 0
    ? undefined
    : counts.reduce((total, { desired, ready }) => ({ desired: total.desired + desired, ready: total.ready + ready }));

// Pods of the old template may still serve: only observedGeneration and the updated counts tell that a rollout is over.
const deploymentRolling = ({ metadata, spec, status }: Deployment): boolean =>
  (status?.observedGeneration ?? 0) < (metadata.generation ?? 0) ||
  (status?.updatedReplicas ?? 0) < (spec.replicas ?? 1) ||
  (status?.replicas ?? 0) > (status?.updatedReplicas ?? 0);
const daemonSetRolling = ({ metadata, status }: DaemonSet): boolean =>
  (status?.observedGeneration ?? 0) < (metadata.generation ?? 0) ||
  (status?.updatedNumberScheduled ?? 0) < (status?.desiredNumberScheduled ?? 0);

const observe = (kind: Kind, controllers: readonly Deployment[], agents: readonly DaemonSet[]): DriverObservation => {
  const labels = [...controllers, ...agents][0]?.metadata.labels ?? {};
  const controllerCount = sum(
    controllers.map(({ spec, status }) => ({ desired: spec.replicas ?? 1, ready: status?.readyReplicas ?? 0 })),
  );
  const agentCount = sum(
    agents.map(({ status }) => ({ desired: status?.desiredNumberScheduled ?? 0, ready: status?.numberReady ?? 0 })),
  );
  return {
    kind,
    distribution: labels[distributionLabel] === 'upstream' ? 'Upstream' : 'Native',
    ...(labels[versionLabel] ? { version: labels[versionLabel].replaceAll('_', '+') } : {}),
    ...(controllerCount ? { controllers: controllerCount } : {}),
    ...(agentCount ? { nodes: agentCount } : {}),
    rollingOut: controllers.some(deploymentRolling) || agents.some(daemonSetRolling),
  };
};

/** Reads from the cluster which drivers run, in which version and how far their rollout is. */
export const observeDrivers = async (
  kube: KubeClient,
  options: { readonly namespace: string; readonly kinds: readonly Kind[]; readonly signal: AbortSignal },
): Promise<readonly DriverObservation[]> => {
  const query = { namespace: options.namespace, labelSelector: driverLabel, signal: options.signal };
  const [controllers, agents] = await Promise.all([kube.list(deployments, query), kube.list(daemonSets, query)]);
  return options.kinds.map((kind) => observe(kind, ofKind(controllers.items, kind), ofKind(agents.items, kind)));
};
