import {
  apiGroups,
  apiServerService,
  cniDaemonSets,
  dnsServiceNames,
  leaseNames,
  names,
  upstreamNames,
} from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import { snapshotGroup } from '@vdo/kube/types/snapshots';
import { bindingNames } from '../roles/driver-role.ts';
import { driverRoles } from '../roles/driver-roles.ts';
import { retiredBindings, retiredRoles } from '../roles/retired-rights.ts';
import { reviewRules } from '../shared/metrics-serving.ts';
import { rule } from '../shared/rbac.ts';
import { removalPolicyName } from '../shared/removal-policy.ts';
import { upstreamObjects } from '../upstream/objects.ts';

const rbacGroup = 'rbac.authorization.k8s.io';
const read = ['get', 'list', 'watch'] as const;
/** Server-side apply creates by PATCH with the name in the path, so even `create` can be limited to a name. */
const own = ['get', 'create', 'patch', 'delete'] as const;
const remove = ['get', 'delete'] as const;

const driverAccounts = [names.cpi, names.csiController, names.csiNode];
const snapshotCrdNames = ['volumesnapshotclasses', 'volumesnapshotcontents', 'volumesnapshots'].map(
  (plural) => `${plural}.snapshot.storage.k8s.io`,
);
const admissionPolicies = [
  ...['persistentvolumes', 'storageclasses', 'volumeattributesclasses', 'volumesnapshotclasses'].map(
    (plural) => `vdo-csi-${plural}`,
  ),
  removalPolicyName,
];
const optionalBindings = driverRoles.filter(({ optional }) => optional).flatMap(bindingNames);
const retiredIn = (place: string | undefined): readonly string[] =>
  retiredBindings.filter(({ namespace }) => namespace === place).map(({ name }) => name);
/** The agents of pod networks, which are looked up by name. */
const networkAgents = Object.values(cniDaemonSets);

/** What the operator does in the whole cluster. No wildcard, and each write is limited to a name if possible. */
export const operatorClusterRules: readonly PolicyRule[] = [
  rule(apiGroups.vdo, ['vspheredrivers'], [...read, 'patch']),
  rule(apiGroups.vdo, ['vspheredrivers/status'], ['patch']),
  rule('', ['nodes', 'persistentvolumes', 'persistentvolumeclaims'], read),
  rule('', ['events'], ['create', 'patch']),
  rule('', ['namespaces'], ['get', 'create', 'patch'], [names.namespace, names.upstreamCsiNamespace]),
  // Its UID is the ID of a cluster that has none yet.
  rule('', ['namespaces'], ['get'], [names.systemNamespace]),
  rule('storage.k8s.io', ['csidrivers'], own, [names.csiDriver]),
  rule('storage.k8s.io', ['csidrivers', 'csinodes', 'volumeattachments'], read),
  rule('storage.k8s.io', ['storageclasses'], [...own, 'list', 'watch']),
  rule(snapshotGroup, ['volumesnapshotclasses'], [...own, 'list', 'watch']),
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get', 'create', 'patch'], snapshotCrdNames),
  rule(
    'admissionregistration.k8s.io',
    ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
    own,
    admissionPolicies,
  ),
  rule(rbacGroup, ['clusterroles'], remove, retiredRoles.cluster),
  // It finds and deletes what separately shipped permissions allow it to bind, also without these permissions.
  rule(rbacGroup, ['clusterrolebindings'], remove, [...retiredIn(undefined), ...optionalBindings]),
  // Permissions that somebody removes are noticed by a watch, which cannot be limited to names.
  rule(rbacGroup, ['clusterroles', 'clusterrolebindings'], ['list', 'watch']),
  // It detects in other namespaces which pod network runs, and whether OpenShift manages the drivers.
  rule('apps', ['daemonsets'], ['get'], [...networkAgents, names.cpi, names.csiNode]),
  rule('apps', ['deployments'], ['get'], [names.cpi, names.csiController]),
  // The cluster DNS is asked directly whether it knows the vCenters.
  // Pods of the drivers may reach the API server at its own port.
  rule('', ['services'], ['get'], [...Object.values(dnsServiceNames), apiServerService.name]),
  rule('operator.openshift.io', ['clustercsidrivers'], ['get'], [names.csiDriver]),
  ...reviewRules,
];

const watchRights = (namespace: keyof typeof retiredRoles & string): readonly PolicyRule[] => [
  rule(rbacGroup, ['roles'], remove, retiredRoles[namespace]),
  rule(rbacGroup, ['rolebindings'], remove, retiredIn(namespace)),
  rule(rbacGroup, ['rolebindings'], ['list', 'watch']),
];

const watchWorkloads: readonly PolicyRule[] = [
  rule('', ['pods'], read),
  rule('apps', ['deployments', 'daemonsets'], ['list', 'watch']),
];

const protect = (pods: readonly string[]): readonly PolicyRule[] => [
  rule('networking.k8s.io', ['networkpolicies'], own, pods),
  rule('policy', ['poddisruptionbudgets'], own, pods),
];

/** What the operator does in its own namespace. */
export const operatorNamespaceRules: readonly PolicyRule[] = [
  rule('', ['secrets'], read),
  rule(
    '',
    ['secrets'],
    ['create', 'patch', 'delete'],
    [names.credentialsSecret, names.cpiCredentials, names.csiCredentials],
  ),
  rule('', ['configmaps'], [...read, 'create', 'patch', 'delete']),
  rule('', ['serviceaccounts'], own, [...driverAccounts, names.snapshotController, names.imageProbe]),
  rule('', ['serviceaccounts'], ['list', 'watch']),
  ...watchWorkloads,
  // Only as a dry run, before the first installation: admission judges pods, not the objects that create them.
  rule('', ['pods'], ['create']),
  rule('apps', ['deployments'], own, [names.cpi, names.csiController, names.snapshotController, names.imageProbe]),
  rule('apps', ['daemonsets'], own, [names.csiNode]),
  ...protect([names.cpi, names.csiController, names.snapshotController]),
  rule('coordination.k8s.io', ['leases'], ['create']),
  rule('coordination.k8s.io', ['leases'], ['get', 'update'], [names.operator]),
  ...watchRights(names.namespace),
];

const { provisioner, attacher, resizer, snapshotter, syncer } = leaseNames;
const storageLeases = [provisioner, attacher, resizer, snapshotter, syncer];

const upstreamStorageRules: readonly PolicyRule[] = [
  ...watchWorkloads,
  // The Leases of a controller that has ended are released on its behalf.
  rule('coordination.k8s.io', ['leases'], ['get', 'update'], storageLeases),
  rule('', ['secrets'], own, [upstreamNames.csiConfigSecret]),
  rule('', ['configmaps'], own, [upstreamObjects.csiFeatures]),
  rule('', ['configmaps'], ['get'], [names.csiClusterId]),
  rule('', ['services'], own, [names.csiController]),
  rule('', ['serviceaccounts'], own, [names.csiController, names.csiNode]),
  rule('apps', ['deployments'], own, [names.csiController]),
  rule('apps', ['daemonsets'], own, [names.csiNode]),
  ...protect([names.csiController]),
  ...watchRights(names.upstreamCsiNamespace),
];

const upstreamCloudRules: readonly PolicyRule[] = [
  ...watchWorkloads,
  rule('', ['secrets'], own, [upstreamNames.cpiSecret]),
  rule('', ['configmaps'], own, [upstreamObjects.cpiConfig]),
  rule('', ['serviceaccounts'], own, [upstreamObjects.cpiAccount]),
  // Charts of others run it as a Deployment, which is deleted when ours takes over.
  rule('apps', ['daemonsets', 'deployments'], own, [names.cpi]),
  rule(rbacGroup, ['roles'], ['bind'], ['extension-apiserver-authentication-reader']),
  rule(rbacGroup, ['rolebindings'], own, [upstreamObjects.cpiReaderBinding]),
  ...watchRights(names.systemNamespace),
];

/** What the operator does in the namespaces of the upstream drivers, where both distributions hold their Leases. */
export const operatorPlaceRules: readonly { readonly namespace: string; readonly rules: readonly PolicyRule[] }[] = [
  { namespace: names.systemNamespace, rules: upstreamCloudRules },
  { namespace: names.upstreamCsiNamespace, rules: upstreamStorageRules },
];
