import { names } from '@vdo/config/names';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import { bindingNames, type DriverRole } from '../roles/driver-role.ts';
import { driverRoles } from '../roles/driver-roles.ts';
import { rule } from '../shared/rbac.ts';

const group = 'rbac.authorization.k8s.io';
const own = ['get', 'create', 'patch', 'delete'] as const;

const toBind = (roles: readonly DriverRole[], bindings: string): readonly PolicyRule[] => [
  rule(
    group,
    ['clusterroles'],
    ['bind'],
    roles.map(({ name }) => name),
  ),
  rule(group, [bindings], own, roles.flatMap(bindingNames)),
];

/**
 * Permission to delete everything that this operator can create by name. It is repeated in separate objects, which the manifests of an earlier
 * release do not change: after a rollback, the operator can delete what it does not know.
 */
export const toRemove = (rules: readonly PolicyRule[]): readonly PolicyRule[] =>
  rules
    .filter(({ verbs, resourceNames }) => verbs.includes('delete') && resourceNames !== undefined)
    .map((one) => ({ ...one, verbs: ['get', 'delete'] }));

/**
 * What the operator needs to grant the drivers their permissions: to bind these roles by these names, each where it applies, and to
 * write none.
 */
export const operatorGrants = (roles: readonly DriverRole[] = driverRoles.filter(({ optional }) => !optional)) => ({
  cluster: toBind(
    roles.filter(({ namespaces }) => namespaces === undefined),
    'clusterrolebindings',
  ),
  places: [names.namespace, names.systemNamespace, names.upstreamCsiNamespace].map((namespace) => ({
    namespace,
    rules: toBind(
      roles.filter(({ namespaces }) => namespaces?.includes(namespace)),
      'rolebindings',
    ),
  })),
});
