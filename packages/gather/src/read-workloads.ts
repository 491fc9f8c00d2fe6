import type { WorkloadFacts } from '@vdo/checks/facts/kube-facts';
import { attempt, type Reading } from '@vdo/checks/facts/reading';
import { cniDaemonSets, labelKeys, names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { managedByLabel } from '@vdo/kube/types/well-known';
import { type DaemonSet, type Deployment, daemonSets, deployments } from '@vdo/kube/types/workloads';
import type { GatherDeps } from './gather-deps.ts';

/** Names under which upstream, distributions and platforms install the drivers. */
const driverWorkloads: Readonly<Record<string, 'CPI' | 'CSI'>> = {
  [names.csiController]: 'CSI',
  [names.csiNode]: 'CSI',
  'vsphere-csi-node-windows': 'CSI',
  'vmware-vsphere-csi-driver-controller': 'CSI',
  'vmware-vsphere-csi-driver-node': 'CSI',
  [names.cpi]: 'CPI',
  'vsphere-cpi': 'CPI',
  'rancher-vsphere-cpi-cloud-controller-manager': 'CPI',
};

/** DaemonSet → the CNI it belongs to. */
const cniAgents: Readonly<Record<string, string>> = {
  [cniDaemonSets.antrea]: 'Antrea',
  [cniDaemonSets.calico]: 'Calico',
  canal: 'Canal',
  [cniDaemonSets.cilium]: 'Cilium',
  [cniDaemonSets.flannel]: 'Flannel',
  'kube-flannel': 'Flannel',
  [cniDaemonSets.ovnKubernetes]: 'OVN-Kubernetes',
  [cniDaemonSets.ncp]: 'NCP',
  'weave-net': 'Weave Net',
};

export interface WorkloadReadings {
  readonly workloads: Reading<readonly WorkloadFacts[]>;
  readonly cnis: Reading<readonly string[]>;
}

const managerOf = ({ metadata }: KubeObject): string => {
  if (metadata.namespace?.startsWith('openshift-')) return 'OpenShift';
  const { [labelKeys.driver]: driver, [managedByLabel]: managedBy } = metadata.labels ?? {};
  if (driver !== undefined) return 'VDO';
  return managedBy ?? metadata.managedFields?.[0]?.manager ?? 'unknown';
};

const common = (object: KubeObject) => {
  const { name = '', namespace = '', labels } = object.metadata;
  const driver = driverWorkloads[name];
  if (!driver) return undefined;
  return { name, namespace, driver, ours: labels?.[labelKeys.driver] !== undefined, manager: managerOf(object) };
};

const fromDeployment = (object: Deployment): readonly WorkloadFacts[] => {
  const facts = common(object);
  const { spec, status, metadata } = object;
  const desired = spec.replicas ?? 1;
  const rollingOut =
    (status?.observedGeneration ?? 0) < (metadata.generation ?? 0) || (status?.updatedReplicas ?? 0) < desired;
  return facts ? [{ kind: 'Deployment', ...facts, desired, ready: status?.readyReplicas ?? 0, rollingOut }] : [];
};

const fromDaemonSet = (object: DaemonSet): readonly WorkloadFacts[] => {
  const facts = common(object);
  const { status, metadata } = object;
  const desired = status?.desiredNumberScheduled ?? 0;
  const rollingOut =
    (status?.observedGeneration ?? 0) < (metadata.generation ?? 0) || (status?.updatedNumberScheduled ?? 0) < desired;
  return facts ? [{ kind: 'DaemonSet', ...facts, desired, ready: status?.numberReady ?? 0, rollingOut }] : [];
};

/**
 * Drivers and CNIs in the namespaces of drivers: ours, and those of the upstream manifests and charts. Listing
 * all namespaces would need a permission that the operator does not have.
 */
export const readWorkloads = async (deps: GatherDeps, signal: AbortSignal): Promise<WorkloadReadings> => {
  const { kube, namespace } = deps;
  const places = [...new Set([namespace, names.systemNamespace, names.upstreamCsiNamespace])];
  const list = async <T extends KubeObject>(resource: Resource<T>): Promise<readonly T[]> =>
    (await Promise.all(places.map((place) => kube.list(resource, { namespace: place, signal })))).flatMap(
      ({ items }) => items,
    );
  const agents = await attempt(() => list(daemonSets), signal);
  const controllers = await attempt(() => list(deployments), signal);
  if ('error' in agents) return { workloads: agents, cnis: deps.cnis ? { value: deps.cnis } : agents };
  const found = agents.value.flatMap(({ metadata }) => cniAgents[metadata.name ?? ''] ?? []);
  const cnis = { value: deps.cnis ?? [...new Set(found)] };
  if ('error' in controllers) return { workloads: controllers, cnis };
  const all = [...controllers.value.flatMap(fromDeployment), ...agents.value.flatMap(fromDaemonSet)];
  return { workloads: { value: all }, cnis };
};
