import { labelKeys } from '@vdo/config/names';
import type { ClusterRole, PolicyRule, RoleBinding } from '@vdo/kube/types/cluster';
import type { Subject } from '../shared/rbac.ts';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;

/** On each ClusterRole of this kind. */
export const driverRoleLabel = 'vdo.vmware.com/driver-role';

/**
 * Permissions that a driver may get. They are part of the operator's own manifests: the operator binds these roles and writes none, so that it
 * cannot grant permissions that nobody has reviewed. The rules of a name never change; a release that needs others has another layout.
 */
export interface DriverRole {
  /** `vdo:`, the first layout that needed it, and its purpose. */
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** The only namespaces in which it is bound; absent: the whole cluster. */
  readonly namespaces?: readonly string[];
  /** Several accounts have it, so the bindings are named after them, too. Default: one account, and the binding has the name of the role. */
  readonly accounts?: readonly string[];
  /** Not part of the manifests that everybody applies. */
  readonly optional?: true;
}

/** The role as an object. Always a ClusterRole, because packages cannot add objects to namespaces of others. */
export const roleObject = ({ name, rules }: DriverRole): ClusterRole => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name, labels: { [labelKeys.partOf]: 'vdo', [driverRoleLabel]: 'true' } },
  rules,
});

const bindingName = ({ name, accounts }: DriverRole, account: string): string =>
  accounts ? `${name}:${account}` : name;

/** The names of all bindings of a role. */
export const bindingNames = (role: DriverRole): readonly string[] =>
  (role.accounts ?? ['']).map((account) => bindingName(role, account));

/** Binds a role to the account of a driver: in a namespace, or in the whole cluster. */
export const bindDriverRole = (
  role: DriverRole,
  { serviceAccount, namespace: home, labels }: Subject,
  { namespace }: { readonly namespace?: string } = {},
): RoleBinding => ({
  apiVersion,
  kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
  metadata: {
    name: bindingName(role, serviceAccount),
    ...(namespace === undefined ? {} : { namespace }),
    labels,
  },
  roleRef: { apiGroup: group, kind: 'ClusterRole', name: role.name },
  subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace: home }],
});
