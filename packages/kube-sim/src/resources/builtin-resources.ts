import { builtinObjectType } from '../apply/builtin-merge-types.ts';
import { crdStrategy } from '../schema/crd-strategy.ts';
import * as core from '../strategies/core-strategies.ts';
import * as storage from '../strategies/storage-strategies.ts';
import * as workloads from '../strategies/workload-strategies.ts';
import { bucketOf, type ResourceDefinition, type ScalePaths, type Strategy } from './resource-definition.ts';

interface Row {
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly short?: string;
  readonly categories?: readonly string[];
  readonly status?: boolean;
  readonly scale?: ScalePaths;
  readonly subresources?: readonly string[];
  readonly fields?: readonly string[];
  readonly strategy?: Strategy;
  readonly review?: boolean;
}

const replicas: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const all = ['all'];

const coreRows: readonly Row[] = [
  {
    plural: 'pods',
    kind: 'Pod',
    namespaced: true,
    short: 'po',
    categories: all,
    status: true,
    subresources: ['binding', 'eviction', 'log'],
    fields: [
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.phase',
      'status.podIP',
    ],
    strategy: workloads.podStrategy,
  },
  {
    plural: 'nodes',
    kind: 'Node',
    namespaced: false,
    short: 'no',
    status: true,
    fields: ['spec.unschedulable'],
    strategy: core.nodeStrategy,
  },
  {
    plural: 'namespaces',
    kind: 'Namespace',
    namespaced: false,
    short: 'ns',
    status: true,
    subresources: ['finalize'],
    fields: ['status.phase'],
    strategy: core.namespaceStrategy,
  },
  { plural: 'secrets', kind: 'Secret', namespaced: true, fields: ['type'], strategy: core.secretStrategy },
  { plural: 'configmaps', kind: 'ConfigMap', namespaced: true, short: 'cm', strategy: core.configMapStrategy },
  { plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true, short: 'sa', subresources: ['token'] },
  {
    plural: 'services',
    kind: 'Service',
    namespaced: true,
    short: 'svc',
    categories: all,
    status: true,
    strategy: workloads.serviceStrategy,
  },
  { plural: 'endpoints', kind: 'Endpoints', namespaced: true, short: 'ep' },
  {
    plural: 'events',
    kind: 'Event',
    namespaced: true,
    short: 'ev',
    fields: [
      ...['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'].map(
        (name) => `involvedObject.${name}`,
      ),
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
    strategy: core.eventStrategy,
  },
  {
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    namespaced: false,
    short: 'pv',
    status: true,
    strategy: storage.volumeStrategy,
  },
  {
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    namespaced: true,
    short: 'pvc',
    status: true,
    strategy: storage.claimStrategy,
  },
];

const appsRows: readonly Row[] = [
  {
    plural: 'deployments',
    kind: 'Deployment',
    namespaced: true,
    short: 'deploy',
    categories: all,
    status: true,
    scale: replicas,
    strategy: workloads.deploymentStrategy,
  },
  {
    plural: 'replicasets',
    kind: 'ReplicaSet',
    namespaced: true,
    short: 'rs',
    categories: all,
    status: true,
    scale: replicas,
    strategy: workloads.replicaSetStrategy,
  },
  {
    plural: 'daemonsets',
    kind: 'DaemonSet',
    namespaced: true,
    short: 'ds',
    categories: all,
    status: true,
    strategy: workloads.daemonSetStrategy,
  },
  {
    plural: 'statefulsets',
    kind: 'StatefulSet',
    namespaced: true,
    short: 'sts',
    categories: all,
    status: true,
    scale: replicas,
    strategy: workloads.statefulSetStrategy,
  },
  { plural: 'controllerrevisions', kind: 'ControllerRevision', namespaced: true },
];

const storageRows: readonly Row[] = [
  {
    plural: 'storageclasses',
    kind: 'StorageClass',
    namespaced: false,
    short: 'sc',
    strategy: storage.storageClassStrategy,
  },
  { plural: 'csidrivers', kind: 'CSIDriver', namespaced: false, strategy: storage.csiDriverStrategy },
  {
    plural: 'csinodes',
    kind: 'CSINode',
    namespaced: false,
    strategy: { hasGeneration: false, needsResourceVersion: true },
  },
  { plural: 'csistoragecapacities', kind: 'CSIStorageCapacity', namespaced: true },
  {
    plural: 'volumeattachments',
    kind: 'VolumeAttachment',
    namespaced: false,
    status: true,
    strategy: storage.attachmentStrategy,
  },
];

const rbacRows: readonly Row[] = [
  { plural: 'roles', kind: 'Role', namespaced: true, strategy: core.roleStrategy },
  { plural: 'rolebindings', kind: 'RoleBinding', namespaced: true, strategy: core.roleBindingStrategy },
  { plural: 'clusterroles', kind: 'ClusterRole', namespaced: false, strategy: core.roleStrategy },
  { plural: 'clusterrolebindings', kind: 'ClusterRoleBinding', namespaced: false, strategy: core.roleBindingStrategy },
];

const review = (plural: string, kind: string): Row => ({ plural, kind, namespaced: false, review: true });

const table: readonly (readonly [group: string, rows: readonly Row[]])[] = [
  ['', coreRows],
  ['apps', appsRows],
  ['storage.k8s.io', storageRows],
  ['rbac.authorization.k8s.io', rbacRows],
  ['coordination.k8s.io', [{ plural: 'leases', kind: 'Lease', namespaced: true, strategy: core.leaseStrategy }]],
  [
    'policy',
    [
      {
        plural: 'poddisruptionbudgets',
        kind: 'PodDisruptionBudget',
        namespaced: true,
        short: 'pdb',
        status: true,
        strategy: workloads.disruptionBudgetStrategy,
      },
    ],
  ],
  [
    'networking.k8s.io',
    [
      {
        plural: 'networkpolicies',
        kind: 'NetworkPolicy',
        namespaced: true,
        short: 'netpol',
        strategy: core.specStrategy,
      },
    ],
  ],
  ['discovery.k8s.io', [{ plural: 'endpointslices', kind: 'EndpointSlice', namespaced: true }]],
  ['scheduling.k8s.io', [{ plural: 'priorityclasses', kind: 'PriorityClass', namespaced: false, short: 'pc' }]],
  [
    'apiextensions.k8s.io',
    [
      {
        plural: 'customresourcedefinitions',
        kind: 'CustomResourceDefinition',
        namespaced: false,
        short: 'crd',
        status: true,
        strategy: crdStrategy,
      },
    ],
  ],
  ['authentication.k8s.io', [review('tokenreviews', 'TokenReview'), review('selfsubjectreviews', 'SelfSubjectReview')]],
  [
    'authorization.k8s.io',
    [
      review('selfsubjectaccessreviews', 'SelfSubjectAccessReview'),
      review('subjectaccessreviews', 'SubjectAccessReview'),
    ],
  ],
];

const definition = (group: string, row: Row): ResourceDefinition => ({
  group,
  plural: row.plural,
  kind: row.kind,
  singular: row.kind.toLowerCase(),
  namespaced: row.namespaced,
  shortNames: row.short ? [row.short] : [],
  categories: row.categories ?? [],
  versions: [
    {
      name: 'v1',
      mergeType: builtinObjectType,
      hasStatus: row.status ?? false,
      ...(row.scale ? { scale: row.scale } : {}),
    },
  ],
  bucket: bucketOf(group, row.plural),
  subresources: row.subresources ?? [],
  selectableFields: row.fields ?? [],
  strategy: row.strategy ?? core.plainStrategy,
  isCustom: false,
  isReview: row.review ?? false,
});

/** The kinds that need no CustomResourceDefinition. */
export const builtinResources: readonly ResourceDefinition[] = table.flatMap(([group, rows]) =>
  rows.map((row) => definition(group, row)),
);
