import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';

export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    /** RFC 3339 with microseconds. */
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

export interface ClusterRole extends KubeObject {
  readonly rules?: readonly PolicyRule[];
}

export interface RoleBinding extends KubeObject {
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
    readonly apiGroup?: string;
  }[];
}

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

const rbac = <T extends KubeObject>(plural: string, kind: string, namespaced: boolean): Resource<T> => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced,
});

export const leases: Resource<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};
export const clusterRoles = rbac<ClusterRole>('clusterroles', 'ClusterRole', false);
export const clusterRoleBindings = rbac<RoleBinding>('clusterrolebindings', 'ClusterRoleBinding', false);
export const roles = rbac<ClusterRole>('roles', 'Role', true);
export const roleBindings = rbac<RoleBinding>('rolebindings', 'RoleBinding', true);
export const customResourceDefinitions: Resource<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
