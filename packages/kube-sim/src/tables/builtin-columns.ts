import type { AnyObject } from '@vdo/kube/types/object';
import { getIn, isObject, listOf, objectOf, stringOf } from '../json.ts';
import type { Column } from '../strategies/resource-type.ts';
import { ageSince } from './age.ts';

/** A column with the way to fill it. */
export interface BuiltinColumn extends Column {
  cell(object: AnyObject, nowMs: number): unknown;
}

type Cell = BuiltinColumn['cell'];
type Options = { readonly wide?: boolean; readonly type?: string };

const column = (name: string, cell: Cell, { wide = false, type = 'string' }: Options = {}): BuiltinColumn => ({
  name,
  type,
  cell,
  ...(wide ? { priority: 1 } : {}),
});
const wide = (name: string, cell: Cell): BuiltinColumn => column(name, cell, { wide: true });

export const nameColumn: BuiltinColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  cell: ({ metadata }) => metadata.name,
};
export const ageColumn = column('Age', ({ metadata }, nowMs) => ageSince(metadata.creationTimestamp, nowMs));

const read = (object: AnyObject, path: string): unknown => getIn(object, path.split('.'));
const count = (object: AnyObject, path: string): number => Number(read(object, path) ?? 0);

/** `Title=path`, `Title=path|what a missing value shows`, `Title*=…` for wide output, `Title#=…` for numbers. */
const parsed = (text: string): BuiltinColumn => {
  const [, name = '', mark, path = '', missing] = /^([^=*#]+)([*#]?)=([^|]*)(?:\|(.*))?$/.exec(text) ?? [];
  if (mark === '#') return column(name, (object) => count(object, path), { type: 'integer' });
  return column(name, (object) => read(object, path) ?? missing ?? '', { wide: mark === '*' });
};
const columns = (...parts: readonly (string | BuiltinColumn)[]): readonly BuiltinColumn[] =>
  parts.map((part) => (typeof part === 'string' ? parsed(part) : part));

const pairs = (labels: unknown): string =>
  Object.entries(objectOf(labels))
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',') || '<none>';
const size =
  (...fields: readonly string[]): Cell =>
  (object) =>
    fields.reduce((sum, field) => sum + Object.keys(objectOf(object[field])).length, 0);
const containers =
  (field: 'name' | 'image'): Cell =>
  (object) =>
    listOf(read(object, 'spec.template.spec.containers'))
      .map((container) => stringOf(objectOf(container)[field]))
      .join(',');
const template = [
  wide('Containers', containers('name')),
  wide('Images', containers('image')),
  wide('Selector', (object) => pairs(read(object, 'spec.selector.matchLabels'))),
];

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const accessModes = (path: string): BuiltinColumn =>
  column('Access Modes', (object) =>
    listOf(read(object, path))
      .map((mode) => modes[stringOf(mode)] ?? mode)
      .join(','),
  );

const containerStatuses = (pod: AnyObject) => listOf(read(pod, 'status.containerStatuses')).map(objectOf);
const podReady: Cell = (pod) => {
  const ready = containerStatuses(pod).filter((status) => status['ready'] === true).length;
  return `${ready}/${listOf(read(pod, 'spec.containers')).length}`;
};
const podStatus: Cell = (pod) => {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const states = containerStatuses(pod).flatMap(({ state }) => Object.values(objectOf(state)));
  const reason = states.map((state) => stringOf(objectOf(state)['reason'])).find(Boolean);
  return reason ?? read(pod, 'status.reason') ?? read(pod, 'status.phase') ?? '';
};
const podRestarts: Cell = (pod) =>
  String(containerStatuses(pod).reduce((sum, { restartCount }) => sum + Number(restartCount ?? 0), 0));

const nodeStatus: Cell = (node) => {
  const ready = listOf(read(node, 'status.conditions'))
    .map(objectOf)
    .find(({ type }) => type === 'Ready');
  const text = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return read(node, 'spec.unschedulable') === true ? `${text},SchedulingDisabled` : text;
};
const rolePrefix = 'node-role.kubernetes.io/';
const nodeRoles: Cell = ({ metadata }) => {
  const roles = Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith(rolePrefix));
  return (
    roles
      .map((label) => label.slice(rolePrefix.length))
      .sort()
      .join(',') || '<none>'
  );
};
const nodeAddress =
  (wanted: string): Cell =>
  (node) => {
    const found = listOf(read(node, 'status.addresses'))
      .map(objectOf)
      .find(({ type }) => type === wanted);
    return found?.['address'] ?? '<none>';
  };

const servicePorts: Cell = (service) => {
  const ports = listOf(read(service, 'spec.ports')).map(objectOf);
  return ports.map(({ port, protocol }) => `${String(port)}/${String(protocol)}`).join(',') || '<none>';
};
const claimOf: Cell = (volume) => {
  const claim = read(volume, 'spec.claimRef');
  return isObject(claim) ? `${stringOf(claim['namespace'])}/${stringOf(claim['name'])}` : '';
};
const involved: Cell = (event) =>
  `${stringOf(read(event, 'involvedObject.kind')).toLowerCase()}/${stringOf(read(event, 'involvedObject.name'))}`;
const roleRef = column('Role', (binding) => `${read(binding, 'roleRef.kind')}/${read(binding, 'roleRef.name')}`);
const seen =
  (...fields: readonly string[]): Cell =>
  (event, nowMs) =>
    ageSince(fields.map((field) => event[field]).find(Boolean), nowMs);
const isDefaultClass = ({ metadata }: AnyObject): boolean =>
  metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
const ready = column('Ready', (object) => `${count(object, 'status.readyReplicas')}/${count(object, 'spec.replicas')}`);

const byKind: Readonly<Record<string, readonly BuiltinColumn[]>> = {
  Pod: columns(
    nameColumn,
    column('Ready', podReady),
    column('Status', podStatus),
    column('Restarts', podRestarts),
    ageColumn,
    'IP*=status.podIP|<none>',
    'Node*=spec.nodeName|<none>',
    'Nominated Node*=status.nominatedNodeName|<none>',
    'Readiness Gates*=|<none>',
  ),
  Node: columns(
    nameColumn,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    ageColumn,
    'Version=status.nodeInfo.kubeletVersion',
    wide('Internal-IP', nodeAddress('InternalIP')),
    wide('External-IP', nodeAddress('ExternalIP')),
    'OS-Image*=status.nodeInfo.osImage|<unknown>',
    'Kernel-Version*=status.nodeInfo.kernelVersion|<unknown>',
    'Container-Runtime*=status.nodeInfo.containerRuntimeVersion|<unknown>',
  ),
  Namespace: columns(nameColumn, 'Status=status.phase', ageColumn),
  Secret: columns(nameColumn, 'Type=type', column('Data', size('data')), ageColumn),
  ConfigMap: columns(nameColumn, column('Data', size('data', 'binaryData')), ageColumn),
  ServiceAccount: columns(
    nameColumn,
    column('Secrets', ({ secrets }) => listOf(secrets).length),
    ageColumn,
  ),
  Service: columns(
    nameColumn,
    'Type=spec.type',
    'Cluster-IP=spec.clusterIP|<none>',
    'External-IP=|<none>',
    column('Port(s)', servicePorts),
    ageColumn,
    wide('Selector', (service) => pairs(read(service, 'spec.selector'))),
  ),
  Event: columns(
    column('Last Seen', seen('lastTimestamp', 'eventTime')),
    'Type=type',
    'Reason=reason',
    column('Object', involved),
    'Source*=source.component',
    column('Message', ({ message }) => stringOf(message).trim()),
    wide('First Seen', seen('firstTimestamp', 'eventTime')),
    'Count*=count|1',
    { ...nameColumn, priority: 1 },
  ),
  PersistentVolume: columns(
    nameColumn,
    'Capacity=spec.capacity.storage',
    accessModes('spec.accessModes'),
    'Reclaim Policy=spec.persistentVolumeReclaimPolicy',
    'Status=status.phase',
    column('Claim', claimOf),
    'StorageClass=spec.storageClassName',
    'VolumeAttributesClass=spec.volumeAttributesClassName|<unset>',
    'Reason=status.reason',
    ageColumn,
    'VolumeMode*=spec.volumeMode|<unset>',
  ),
  PersistentVolumeClaim: columns(
    nameColumn,
    column('Status', (claim) => (claim.metadata.deletionTimestamp ? 'Terminating' : read(claim, 'status.phase'))),
    'Volume=spec.volumeName',
    'Capacity=status.capacity.storage',
    accessModes('status.accessModes'),
    'StorageClass=spec.storageClassName',
    'VolumeAttributesClass=spec.volumeAttributesClassName|<unset>',
    ageColumn,
    'VolumeMode*=spec.volumeMode|<unset>',
  ),
  Deployment: columns(
    nameColumn,
    ready,
    'Up-to-date#=status.updatedReplicas',
    'Available#=status.availableReplicas',
    ageColumn,
    ...template,
  ),
  ReplicaSet: columns(
    nameColumn,
    'Desired#=spec.replicas',
    'Current#=status.replicas',
    'Ready#=status.readyReplicas',
    ageColumn,
    ...template,
  ),
  DaemonSet: columns(
    nameColumn,
    'Desired#=status.desiredNumberScheduled',
    'Current#=status.currentNumberScheduled',
    'Ready#=status.numberReady',
    'Up-to-date#=status.updatedNumberScheduled',
    'Available#=status.numberAvailable',
    column('Node Selector', (set) => pairs(read(set, 'spec.template.spec.nodeSelector'))),
    ageColumn,
    ...template,
  ),
  StatefulSet: columns(nameColumn, ready, ageColumn, ...template.slice(0, 2)),
  StorageClass: columns(
    { ...nameColumn, cell: (found) => `${found.metadata.name}${isDefaultClass(found) ? ' (default)' : ''}` },
    'Provisioner=provisioner',
    'ReclaimPolicy=reclaimPolicy',
    'VolumeBindingMode=volumeBindingMode',
    'AllowVolumeExpansion=allowVolumeExpansion|false',
    ageColumn,
  ),
  CSIDriver: columns(
    nameColumn,
    'AttachRequired=spec.attachRequired',
    'PodInfoOnMount=spec.podInfoOnMount',
    'StorageCapacity=spec.storageCapacity',
    'TokenRequests=|<unset>',
    'RequiresRepublish=spec.requiresRepublish',
    column('Modes', (driver) => listOf(read(driver, 'spec.volumeLifecycleModes')).join(',')),
    ageColumn,
  ),
  CSINode: columns(
    nameColumn,
    column('Drivers', (node) => listOf(read(node, 'spec.drivers')).length),
    ageColumn,
  ),
  VolumeAttachment: columns(
    nameColumn,
    'Attacher=spec.attacher',
    'PV=spec.source.persistentVolumeName',
    'Node=spec.nodeName',
    'Attached=status.attached|false',
    ageColumn,
  ),
  Lease: columns(nameColumn, 'Holder=spec.holderIdentity', ageColumn),
  RoleBinding: columns(nameColumn, roleRef, ageColumn),
  ClusterRoleBinding: columns(nameColumn, roleRef, ageColumn),
  // These show the time of their creation, not their age: a peculiarity of the real server.
  Role: columns(nameColumn, 'Created At=metadata.creationTimestamp'),
  ClusterRole: columns(nameColumn, 'Created At=metadata.creationTimestamp'),
  CustomResourceDefinition: columns(nameColumn, 'Created At=metadata.creationTimestamp'),
};

/** The columns of a built-in kind; name and age for those without their own. */
export const builtinColumns = (kind: string): readonly BuiltinColumn[] => byKind[kind] ?? [nameColumn, ageColumn];
