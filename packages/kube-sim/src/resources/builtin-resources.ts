import { builtinObjectType } from '../apply/builtin-merge-types.ts';
import * as core from '../strategies/core-strategies.ts';
import { crdStrategy } from '../strategies/crd-strategy.ts';
import { bucketOf, type ResourceType, type ScalePaths, type Strategy } from '../strategies/resource-type.ts';
import * as storage from '../strategies/storage-strategies.ts';
import * as workloads from '../strategies/workload-strategies.ts';

interface Row {
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly short?: string;
  /** Listed by `kubectl get all`. */
  readonly inAll?: boolean;
  readonly hasStatus?: boolean;
  readonly scale?: ScalePaths;
  readonly subresources?: readonly string[];
  readonly selectable?: readonly string[];
  /** Names of the top-level fields besides apiVersion, kind and metadata. Default `spec` and `status`. */
  readonly content?: string;
  readonly strategy?: Strategy;
  readonly isReview?: boolean;
}

type Options = Omit<Row, 'plural' | 'kind' | 'namespaced'>;
const scoped = (plural: string, kind: string, options: Options = {}): Row => ({
  plural,
  kind,
  namespaced: true,
  ...options,
});
const global = (plural: string, kind: string, options: Options = {}): Row => ({
  plural,
  kind,
  namespaced: false,
  ...options,
});
const review = (plural: string, kind: string): Row => global(plural, kind, { isReview: true });
const workload = (plural: string, kind: string, options: Options): Row =>
  scoped(plural, kind, { inAll: true, hasStatus: true, ...options });

const scale: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const podFields = ['spec.nodeName', 'spec.restartPolicy', 'spec.serviceAccountName', 'status.phase', 'status.podIP'];
const involved = ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'];
const eventFields = [
  ...involved.map((name) => `involvedObject.${name}`),
  'reason',
  'reportingComponent',
  'source',
  'type',
];
const eventContent =
  'action count eventTime firstTimestamp involvedObject lastTimestamp message reason related reportingComponent reportingInstance series source type';
const classContent =
  'allowVolumeExpansion allowedTopologies mountOptions parameters provisioner reclaimPolicy volumeBindingMode';
const bindingContent = 'roleRef subjects';

const table: Readonly<Record<string, readonly Row[]>> = {
  '': [
    workload('pods', 'Pod', {
      short: 'po',
      subresources: ['binding', 'eviction', 'log'],
      selectable: podFields,
      strategy: workloads.podStrategy,
    }),
    global('nodes', 'Node', {
      short: 'no',
      hasStatus: true,
      selectable: ['spec.unschedulable'],
      strategy: core.nodeStrategy,
    }),
    global('namespaces', 'Namespace', {
      short: 'ns',
      hasStatus: true,
      subresources: ['finalize'],
      selectable: ['status.phase'],
      strategy: core.namespaceStrategy,
    }),
    scoped('secrets', 'Secret', {
      content: 'data immutable stringData type',
      selectable: ['type'],
      strategy: core.secretStrategy,
    }),
    scoped('configmaps', 'ConfigMap', {
      short: 'cm',
      content: 'binaryData data immutable',
      strategy: core.configMapStrategy,
    }),
    scoped('serviceaccounts', 'ServiceAccount', {
      short: 'sa',
      subresources: ['token'],
      content: 'automountServiceAccountToken imagePullSecrets secrets',
    }),
    workload('services', 'Service', { short: 'svc', strategy: workloads.serviceStrategy }),
    scoped('endpoints', 'Endpoints', { short: 'ep', content: 'subsets' }),
    scoped('events', 'Event', {
      short: 'ev',
      content: eventContent,
      selectable: eventFields,
      strategy: core.eventStrategy,
    }),
    global('persistentvolumes', 'PersistentVolume', { short: 'pv', hasStatus: true, strategy: storage.volumeStrategy }),
    scoped('persistentvolumeclaims', 'PersistentVolumeClaim', {
      short: 'pvc',
      hasStatus: true,
      strategy: storage.claimStrategy,
    }),
  ],
  apps: [
    workload('deployments', 'Deployment', { short: 'deploy', scale, strategy: workloads.deploymentStrategy }),
    workload('replicasets', 'ReplicaSet', { short: 'rs', scale, strategy: workloads.replicaSetStrategy }),
    workload('daemonsets', 'DaemonSet', { short: 'ds', strategy: workloads.daemonSetStrategy }),
    workload('statefulsets', 'StatefulSet', { short: 'sts', scale, strategy: workloads.statefulSetStrategy }),
    scoped('controllerrevisions', 'ControllerRevision', { content: 'data revision' }),
  ],
  'storage.k8s.io': [
    global('storageclasses', 'StorageClass', {
      short: 'sc',
      content: classContent,
      strategy: storage.storageClassStrategy,
    }),
    global('csidrivers', 'CSIDriver', { strategy: storage.csiDriverStrategy }),
    global('csinodes', 'CSINode', { strategy: { hasGeneration: false, needsResourceVersion: true } }),
    scoped('csistoragecapacities', 'CSIStorageCapacity', {
      content: 'capacity maximumVolumeSize nodeTopology storageClassName',
    }),
    global('volumeattributesclasses', 'VolumeAttributesClass', { short: 'vac', content: 'driverName parameters' }),
    global('volumeattachments', 'VolumeAttachment', { hasStatus: true, strategy: storage.attachmentStrategy }),
  ],
  'rbac.authorization.k8s.io': [
    scoped('roles', 'Role', { content: 'rules', strategy: core.roleStrategy }),
    scoped('rolebindings', 'RoleBinding', { content: bindingContent, strategy: core.roleBindingStrategy }),
    global('clusterroles', 'ClusterRole', { content: 'aggregationRule rules', strategy: core.roleStrategy }),
    global('clusterrolebindings', 'ClusterRoleBinding', {
      content: bindingContent,
      strategy: core.roleBindingStrategy,
    }),
  ],
  'coordination.k8s.io': [scoped('leases', 'Lease', { strategy: core.leaseStrategy })],
  policy: [
    scoped('poddisruptionbudgets', 'PodDisruptionBudget', {
      short: 'pdb',
      hasStatus: true,
      strategy: workloads.disruptionBudgetStrategy,
    }),
  ],
  'networking.k8s.io': [scoped('networkpolicies', 'NetworkPolicy', { short: 'netpol', strategy: core.specStrategy })],
  'discovery.k8s.io': [scoped('endpointslices', 'EndpointSlice', { content: 'addressType endpoints ports' })],
  'scheduling.k8s.io': [
    global('priorityclasses', 'PriorityClass', {
      short: 'pc',
      content: 'description globalDefault preemptionPolicy value',
    }),
  ],
  'apiextensions.k8s.io': [
    global('customresourcedefinitions', 'CustomResourceDefinition', {
      short: 'crd',
      hasStatus: true,
      strategy: crdStrategy,
    }),
  ],
  // Kept, not evaluated: what they refuse is tried on a real API server.
  'admissionregistration.k8s.io': [
    global('validatingadmissionpolicies', 'ValidatingAdmissionPolicy', {
      hasStatus: true,
      strategy: core.specStrategy,
    }),
    global('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', { strategy: core.specStrategy }),
  ],
  'authentication.k8s.io': [review('tokenreviews', 'TokenReview'), review('selfsubjectreviews', 'SelfSubjectReview')],
  'authorization.k8s.io': [
    review('selfsubjectaccessreviews', 'SelfSubjectAccessReview'),
    review('subjectaccessreviews', 'SubjectAccessReview'),
  ],
};

const definition = (group: string, row: Row): ResourceType => ({
  group,
  plural: row.plural,
  kind: row.kind,
  singular: row.kind.toLowerCase(),
  namespaced: row.namespaced,
  shortNames: row.short ? [row.short] : [],
  categories: row.inAll ? ['all'] : [],
  versions: [
    {
      name: 'v1',
      mergeType: builtinObjectType,
      hasStatus: row.hasStatus ?? false,
      content: (row.content ?? 'spec status').split(' '),
      ...(row.scale ? { scale: row.scale } : {}),
    },
  ],
  bucket: bucketOf(group, row.plural),
  subresources: row.subresources ?? [],
  selectableFields: row.selectable ?? [],
  strategy: row.strategy ?? core.plainStrategy,
  isCustom: false,
  isReview: row.isReview ?? false,
});

/** The kinds that need no CustomResourceDefinition. */
export const builtinResources: readonly ResourceType[] = Object.entries(table).flatMap(([group, rows]) =>
  rows.map((row) => definition(group, row)),
);
