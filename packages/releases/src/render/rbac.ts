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

/** A ClusterRole and its binding, both of the given name. */
export const clusterRole = (
  name: string,
  subject: Subject,
  rules: readonly PolicyRule[],
): readonly [ClusterRole, RoleBinding] => {
  const metadata = { name, labels: subject.labels };
  return [
    { apiVersion, kind: 'ClusterRole', metadata, rules },
    { apiVersion, kind: 'ClusterRoleBinding', metadata, ...bindingParts('ClusterRole', name, subject) },
  ];
};

export interface NamespacedRole {
  readonly name: string;
  /** Where the rules apply; the account may live elsewhere. */
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

/** A Role and its binding, both of the given name. */
export const role = (
  { name, namespace, rules }: NamespacedRole,
  subject: Subject,
): readonly [ClusterRole, RoleBinding] => {
  const metadata = { name, namespace, labels: subject.labels };
  return [
    { apiVersion, kind: 'Role', metadata, rules },
    { apiVersion, kind: 'RoleBinding', metadata, ...bindingParts('Role', name, subject) },
  ];
};

export const rule = (
  apiGroup: string,
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames?: readonly string[],
): PolicyRule => ({ apiGroups: [apiGroup], resources, verbs, ...(resourceNames ? { resourceNames } : {}) });

/** What holding the named Leases takes: a create cannot be limited to a name. */
export const leaseRules = (leases: readonly string[]): readonly PolicyRule[] => [
  rule('coordination.k8s.io', ['leases'], ['create']),
  rule('coordination.k8s.io', ['leases'], ['get', 'update', 'patch'], leases),
];

/** Remembering rejected logins across restarts: a create cannot be limited to a name. */
export const loginGuardRules = (name: string): readonly PolicyRule[] => [
  rule('', ['configmaps'], ['create']),
  rule('', ['configmaps'], ['get', 'patch'], [name]),
];

/** Reading and following one Secret and nothing beside it. */
export const readSecretRule = (name: string): PolicyRule => rule('', ['secrets'], ['get', 'list', 'watch'], [name]);
