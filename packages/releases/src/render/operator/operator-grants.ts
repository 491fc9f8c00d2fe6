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
 * What the operator needs to give the drivers their rights: to bind these roles by these names, each where it is meant to count, and to
 * write none. In objects of their own, which the manifests of v0.1.0 leave as they are: an operator that comes back removes by them
 * what this one has bound.
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
