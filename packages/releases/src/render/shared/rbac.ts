import type { ClusterRole, PolicyRule, RoleBinding } from '@vdo/kube/types/cluster';
import type { ServiceAccount } from '@vdo/kube/types/core';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;

export interface Subject {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly labels: Readonly<Record<string, string>>;
}

export const serviceAccount = ({ namespace, serviceAccount: name, labels }: Subject): ServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace, labels },
});

const bindingParts = (kind: 'ClusterRole' | 'Role', name: string, subject: Subject) => ({
  roleRef: { apiGroup: group, kind, name },
  subjects: [{ kind: 'ServiceAccount', name: subject.serviceAccount, namespace: subject.namespace }],
});

/** A ClusterRole and its binding, both with the given name unless the binding has its own. */
export const clusterRole = (
  name: string,
  subject: Subject,
  rules: readonly PolicyRule[],
  bindingName = name,
): readonly [ClusterRole, RoleBinding] => {
  const { labels } = subject;
  const metadata = { name: bindingName, labels };
  return [
    { apiVersion, kind: 'ClusterRole', metadata: { name, labels }, rules },
    { apiVersion, kind: 'ClusterRoleBinding', metadata, ...bindingParts('ClusterRole', name, subject) },
  ];
};

/** A RoleBinding to a role that exists already. */
export const bindRole = (
  binding: { readonly name: string; readonly namespace: string },
  roleRef: { readonly kind: 'ClusterRole' | 'Role'; readonly name: string },
  subject: Subject,
): RoleBinding => ({
  apiVersion,
  kind: 'RoleBinding',
  metadata: { ...binding, labels: subject.labels },
  ...bindingParts(roleRef.kind, roleRef.name, subject),
});

export interface NamespacedRole {
  readonly name: string;
  /** Where the rules apply; the account may be in another namespace. */
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
  /** Default: the name of the role. */
  readonly binding?: string;
}

/** A Role and its binding. */
export const role = (
  { name, namespace, rules, binding = name }: NamespacedRole,
  subject: Subject,
): readonly [ClusterRole, RoleBinding] => [
  { apiVersion, kind: 'Role', metadata: { name, namespace, labels: subject.labels }, rules },
  bindRole({ name: binding, namespace }, { kind: 'Role', name }, subject),
];

export const rule = (
  apiGroup: string,
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames?: readonly string[],
): PolicyRule => ({ apiGroups: [apiGroup], resources, verbs, ...(resourceNames ? { resourceNames } : {}) });

/** Permissions for holding the named Leases: a create cannot be limited to a name. */
export const leaseRules = (leases: readonly string[]): readonly PolicyRule[] => [
  rule('coordination.k8s.io', ['leases'], ['create']),
  rule('coordination.k8s.io', ['leases'], ['get', 'update'], leases),
];

/** Permissions for storing rejected logins across restarts: a create cannot be limited to a name. */
export const loginGuardRules = (name: string): readonly PolicyRule[] => [
  rule('', ['configmaps'], ['create']),
  rule('', ['configmaps'], ['get', 'patch'], [name]),
];

/** Permission to read one Secret and nothing else. */
export const readSecretRule = (name: string): PolicyRule => rule('', ['secrets'], ['get'], [name]);
