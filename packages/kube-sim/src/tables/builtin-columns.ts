import type { AnyObject } from '@vdo/kube/types/object';
import { getIn, isObject, listOf, objectOf, stringOf } from '../json.ts';
import type { Column } from '../resources/resource-definition.ts';
import { ageSince } from './age.ts';

/** A column with the way to fill it. */
export interface BuiltinColumn extends Column {
  cell(object: AnyObject, nowMs: number): unknown;
}

type Cell = BuiltinColumn['cell'];

const column = (
  name: string,
  cell: Cell,
  options: { readonly wide?: boolean; readonly type?: string } = {},
): BuiltinColumn => ({
  name,
  type: options.type ?? 'string',
  cell,
  ...(options.wide ? { priority: 1 } : {}),
});
const wide = (name: string, cell: Cell): BuiltinColumn => column(name, cell, { wide: true });
const number = (name: string, cell: Cell): BuiltinColumn => column(name, cell, { type: 'integer' });

export const nameColumn: BuiltinColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  cell: ({ metadata }) => metadata.name,
};
export const ageColumn: BuiltinColumn = column('Age', ({ metadata }, nowMs) =>
  ageSince(metadata.creationTimestamp, nowMs),
);

const at =
  (path: string, missing: unknown = ''): Cell =>
  (object) =>
    getIn(object, path.split('.')) ?? missing;
const count =
  (path: string): Cell =>
  (object) =>
    Number(getIn(object, path.split('.')) ?? 0);
const size =
  (...fields: readonly string[]): Cell =>
  (object) =>
    fields.reduce((sum, field) => sum + Object.keys(objectOf(object[field])).length, 0);

const pairs = (labels: unknown): string =>
  Object.entries(objectOf(labels))
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',') || '<none>';
const selector: Cell = (object) => pairs(getIn(object, ['spec', 'selector', 'matchLabels']));
const containers =
  (field: 'name' | 'image'): Cell =>
  (object) =>
    listOf(getIn(object, ['spec', 'template', 'spec', 'containers']))
      .map((container) => stringOf(objectOf(container)[field]))
      .join(',');
const templateColumns = [
  wide('Containers', containers('name')),
  wide('Images', containers('image')),
  wide('Selector', selector),
];

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const accessModes =
  (path: string): Cell =>
  (object) =>
    listOf(getIn(object, path.split('.')))
      .map((mode) => modes[stringOf(mode)] ?? mode)
      .join(',');

const containerStatuses = (pod: AnyObject) => listOf(getIn(pod, ['status', 'containerStatuses'])).map(objectOf);
const podReady: Cell = (pod) => {
  const ready = containerStatuses(pod).filter((status) => status['ready'] === true).length;
  return `${ready}/${listOf(getIn(pod, ['spec', 'containers'])).length}`;
};
const podStatus: Cell = (pod) => {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const reasons = containerStatuses(pod).flatMap((status) =>
    Object.values(objectOf(status['state'])).map((state) => stringOf(objectOf(state)['reason'])),
  );
  return (
    reasons.find((reason) => reason !== '') ?? getIn(pod, ['status', 'reason']) ?? getIn(pod, ['status', 'phase']) ?? ''
  );
};
const podRestarts: Cell = (pod) =>
  String(containerStatuses(pod).reduce((sum, status) => sum + Number(status['restartCount'] ?? 0), 0));

const nodeStatus: Cell = (node) => {
  const conditions = listOf(getIn(node, ['status', 'conditions'])).map(objectOf);
  const ready = conditions.find(({ type }) => type === 'Ready');
  const text = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return getIn(node, ['spec', 'unschedulable']) === true ? `${text},SchedulingDisabled` : text;
};
const rolePrefix = 'node-role.kubernetes.io/';
const nodeRoles: Cell = (node) =>
  Object.keys(node.metadata.labels ?? {})
    .filter((label) => label.startsWith(rolePrefix))
    .map((label) => label.slice(rolePrefix.length))
    .sort()
    .join(',') || '<none>';
const nodeAddress =
  (wanted: string): Cell =>
  (node) =>
    listOf(getIn(node, ['status', 'addresses']))
      .map(objectOf)
      .find(({ type }) => type === wanted)?.['address'] ?? '<none>';

const servicePorts: Cell = (service) =>
  listOf(getIn(service, ['spec', 'ports']))
    .map(objectOf)
    .map(({ port, protocol }) => `${String(port)}/${String(protocol)}`)
    .join(',') || '<none>';
const involved: Cell = (event) => {
  const { kind, name } = objectOf(event['involvedObject']);
  return `${stringOf(kind).toLowerCase()}/${stringOf(name)}`;
};
const roleRef: Cell = (binding) =>
  `${stringOf(getIn(binding, ['roleRef', 'kind']))}/${stringOf(getIn(binding, ['roleRef', 'name']))}`;
const claimOf: Cell = (volume) => {
  const claim = getIn(volume, ['spec', 'claimRef']);
  return isObject(claim) ? `${stringOf(claim['namespace'])}/${stringOf(claim['name'])}` : '';
};
const orDefault =
  (path: string, missing: string): Cell =>
  (object) =>
    String(getIn(object, path.split('.')) ?? missing);

const byKind: Readonly<Record<string, readonly BuiltinColumn[]>> = {
  Pod: [
    nameColumn,
    column('Ready', podReady),
    column('Status', podStatus),
    column('Restarts', podRestarts),
    ageColumn,
    wide('IP', at('status.podIP', '<none>')),
    wide('Node', at('spec.nodeName', '<none>')),
    wide('Nominated Node', () => '<none>'),
    wide('Readiness Gates', () => '<none>'),
  ],
  Node: [
    nameColumn,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    ageColumn,
    column('Version', at('status.nodeInfo.kubeletVersion')),
    wide('Internal-IP', nodeAddress('InternalIP')),
    wide('External-IP', nodeAddress('ExternalIP')),
    wide('OS-Image', at('status.nodeInfo.osImage', '<unknown>')),
    wide('Kernel-Version', at('status.nodeInfo.kernelVersion', '<unknown>')),
    wide('Container-Runtime', at('status.nodeInfo.containerRuntimeVersion', '<unknown>')),
  ],
  Namespace: [nameColumn, column('Status', at('status.phase')), ageColumn],
  Secret: [nameColumn, column('Type', at('type')), column('Data', size('data')), ageColumn],
  ConfigMap: [nameColumn, column('Data', size('data', 'binaryData')), ageColumn],
  ServiceAccount: [nameColumn, column('Secrets', (object) => listOf(object['secrets']).length), ageColumn],
  Service: [
    nameColumn,
    column('Type', at('spec.type')),
    column('Cluster-IP', at('spec.clusterIP', '<none>')),
    column('External-IP', () => '<none>'),
    column('Port(s)', servicePorts),
    ageColumn,
    wide('Selector', (object) => pairs(getIn(object, ['spec', 'selector']))),
  ],
  Event: [
    column('Last Seen', (event, nowMs) => ageSince(event['lastTimestamp'] ?? event['eventTime'], nowMs)),
    column('Type', at('type')),
    column('Reason', at('reason')),
    column('Object', involved),
    wide('Source', at('source.component')),
    column('Message', (event) => stringOf(event['message']).trim()),
    wide('First Seen', (event, nowMs) => ageSince(event['firstTimestamp'] ?? event['eventTime'], nowMs)),
    wide('Count', at('count', 1)),
    { ...nameColumn, priority: 1 },
  ],
  PersistentVolume: [
    nameColumn,
    column('Capacity', at('spec.capacity.storage')),
    column('Access Modes', accessModes('spec.accessModes')),
    column('Reclaim Policy', at('spec.persistentVolumeReclaimPolicy')),
    column('Status', at('status.phase')),
    column('Claim', claimOf),
    column('StorageClass', at('spec.storageClassName')),
    column('VolumeAttributesClass', at('spec.volumeAttributesClassName', '<unset>')),
    column('Reason', at('status.reason')),
    ageColumn,
    wide('VolumeMode', at('spec.volumeMode', '<unset>')),
  ],
  PersistentVolumeClaim: [
    nameColumn,
    column('Status', (claim) => (claim.metadata.deletionTimestamp ? 'Terminating' : getIn(claim, ['status', 'phase']))),
    column('Volume', at('spec.volumeName')),
    column('Capacity', at('status.capacity.storage')),
    column('Access Modes', accessModes('status.accessModes')),
    column('StorageClass', at('spec.storageClassName')),
    column('VolumeAttributesClass', at('spec.volumeAttributesClassName', '<unset>')),
    ageColumn,
    wide('VolumeMode', at('spec.volumeMode', '<unset>')),
  ],
  Deployment: [
    nameColumn,
    column('Ready', (object) => `${count('status.readyReplicas')(object, 0)}/${count('spec.replicas')(object, 0)}`),
    number('Up-to-date', count('status.updatedReplicas')),
    number('Available', count('status.availableReplicas')),
    ageColumn,
    ...templateColumns,
  ],
  ReplicaSet: [
    nameColumn,
    number('Desired', count('spec.replicas')),
    number('Current', count('status.replicas')),
    number('Ready', count('status.readyReplicas')),
    ageColumn,
    ...templateColumns,
  ],
  DaemonSet: [
    nameColumn,
    number('Desired', count('status.desiredNumberScheduled')),
    number('Current', count('status.currentNumberScheduled')),
    number('Ready', count('status.numberReady')),
    number('Up-to-date', count('status.updatedNumberScheduled')),
    number('Available', count('status.numberAvailable')),
    column('Node Selector', (object) => pairs(getIn(object, ['spec', 'template', 'spec', 'nodeSelector']))),
    ageColumn,
    ...templateColumns,
  ],
  StatefulSet: [
    nameColumn,
    column('Ready', (object) => `${count('status.readyReplicas')(object, 0)}/${count('spec.replicas')(object, 0)}`),
    ageColumn,
    ...templateColumns.slice(0, 2),
  ],
  StorageClass: [
    {
      ...nameColumn,
      cell: ({ metadata }) =>
        metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true'
          ? `${metadata.name} (default)`
          : metadata.name,
    },
    column('Provisioner', at('provisioner')),
    column('ReclaimPolicy', at('reclaimPolicy')),
    column('VolumeBindingMode', at('volumeBindingMode')),
    column('AllowVolumeExpansion', orDefault('allowVolumeExpansion', 'false')),
    ageColumn,
  ],
  CSIDriver: [
    nameColumn,
    column('AttachRequired', at('spec.attachRequired'), { type: 'boolean' }),
    column('PodInfoOnMount', at('spec.podInfoOnMount'), { type: 'boolean' }),
    column('StorageCapacity', at('spec.storageCapacity'), { type: 'boolean' }),
    column('TokenRequests', () => '<unset>'),
    column('RequiresRepublish', at('spec.requiresRepublish'), { type: 'boolean' }),
    column('Modes', (driver) => listOf(getIn(driver, ['spec', 'volumeLifecycleModes'])).join(',')),
    ageColumn,
  ],
  CSINode: [nameColumn, number('Drivers', (node) => listOf(getIn(node, ['spec', 'drivers'])).length), ageColumn],
  VolumeAttachment: [
    nameColumn,
    column('Attacher', at('spec.attacher')),
    column('PV', at('spec.source.persistentVolumeName')),
    column('Node', at('spec.nodeName')),
    column('Attached', at('status.attached', false), { type: 'boolean' }),
    ageColumn,
  ],
  Lease: [nameColumn, column('Holder', at('spec.holderIdentity')), ageColumn],
  RoleBinding: [nameColumn, column('Role', roleRef), ageColumn],
  ClusterRoleBinding: [nameColumn, column('Role', roleRef), ageColumn],
  // Roles show the moment they were made, not their age: a peculiarity of the real server.
  Role: [nameColumn, column('Created At', at('metadata.creationTimestamp'))],
  ClusterRole: [nameColumn, column('Created At', at('metadata.creationTimestamp'))],
  CustomResourceDefinition: [nameColumn, column('Created At', at('metadata.creationTimestamp'))],
  PriorityClass: [
    nameColumn,
    number('Value', count('value')),
    column('Global-Default', at('globalDefault', false), { type: 'boolean' }),
    ageColumn,
    column('PreemptionPolicy', at('preemptionPolicy', 'PreemptLowerPriority')),
  ],
  PodDisruptionBudget: [
    nameColumn,
    column('Min Available', orDefault('spec.minAvailable', 'N/A')),
    column('Max Unavailable', orDefault('spec.maxUnavailable', 'N/A')),
    number('Allowed Disruptions', count('status.disruptionsAllowed')),
    ageColumn,
  ],
  NetworkPolicy: [
    nameColumn,
    column('Pod-Selector', (object) => pairs(getIn(object, ['spec', 'podSelector', 'matchLabels']))),
    ageColumn,
  ],
};

/** The columns of a built-in kind; name and age for those without their own. */
export const builtinColumns = (kind: string): readonly BuiltinColumn[] => byKind[kind] ?? [nameColumn, ageColumn];
