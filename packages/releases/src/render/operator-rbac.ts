import type { PolicyRule } from '@vdo/kube/types/cluster';
import { names } from './names.ts';
import { rule } from './rbac.ts';

const rbacGroup = 'rbac.authorization.k8s.io';
/** Server-side apply creates by PATCH with the name in the path, so that even `create` can be limited to a name. */
const own = ['get', 'create', 'patch', 'delete'] as const;
/** Giving a role away takes more than writing it; both are limited to the roles of the drivers. */
const grant = [...own, 'escalate', 'bind'] as const;

const driverAccounts = [names.cpi, names.csiController, names.csiNode];

/** What the operator does in the whole cluster. No wildcard, and each write is limited to a name where there is one. */
export const operatorClusterRules: readonly PolicyRule[] = [
  rule('vdo.vmware.com', ['vspheredrivers'], ['get', 'list', 'watch', 'patch', 'update']),
  rule('vdo.vmware.com', ['vspheredrivers/status'], ['patch', 'update']),
  rule('vdo.vmware.com', ['vspheredrivers/finalizers'], ['update']),
  rule('', ['nodes'], ['get', 'list', 'watch']),
  rule('', ['events'], ['create', 'patch']),
  rule('', ['persistentvolumes', 'persistentvolumeclaims'], ['get', 'list', 'watch']),
  rule('', ['namespaces'], ['get', 'create', 'patch'], [names.namespace, names.csiLeaseNamespace]),
  rule('storage.k8s.io', ['csidrivers'], own, [names.csiDriver]),
  rule('storage.k8s.io', ['volumeattachments'], ['get', 'list', 'watch']),
  rule('storage.k8s.io', ['storageclasses'], [...own, 'list', 'watch']),
  rule(rbacGroup, ['clusterroles'], grant, driverAccounts),
  rule(rbacGroup, ['clusterrolebindings'], own, driverAccounts),
];

const grantRoles = (roles: readonly string[]): readonly PolicyRule[] => [
  rule(rbacGroup, ['roles'], grant, roles),
  rule(rbacGroup, ['rolebindings'], own, roles),
];

/** What the operator does in its own namespace. */
export const operatorNamespaceRules: readonly PolicyRule[] = [
  rule('', ['secrets'], ['get', 'list', 'watch']),
  rule('', ['secrets'], ['create', 'patch', 'delete'], [names.credentialsSecret]),
  rule('', ['configmaps'], ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete']),
  rule('', ['serviceaccounts'], own, driverAccounts),
  rule('', ['pods'], ['get', 'list', 'watch']),
  rule('apps', ['deployments', 'daemonsets'], ['list', 'watch']),
  rule('apps', ['deployments'], own, [names.cpi, names.csiController]),
  rule('apps', ['daemonsets'], own, [names.csiNode]),
  rule('coordination.k8s.io', ['leases'], ['create']),
  rule('coordination.k8s.io', ['leases'], ['get', 'update', 'patch'], [names.operator]),
  ...grantRoles([`${names.cpi}:credentials`, `${names.csiController}:credentials`, `${names.csiController}:state`]),
];

/** What the operator does where the drivers hold their Leases. */
export const operatorLeaseRules: readonly { readonly namespace: string; readonly rules: readonly PolicyRule[] }[] = [
  { namespace: names.cpiLeaseNamespace, rules: grantRoles([`${names.cpi}:leases`]) },
  { namespace: names.csiLeaseNamespace, rules: grantRoles([`${names.csiController}:leases`]) },
];
