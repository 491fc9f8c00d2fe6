import type { ClusterRole, PolicyRule, RoleBinding } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { roleObject } from '../render/roles/driver-role.ts';
import { driverRoles } from '../render/roles/driver-roles.ts';

/** What one binding grants an account. */
export interface EffectiveRights {
  /** `namespace/name` of the account. */
  readonly account: string;
  readonly role: string;
  /** Where it applies; absent: the whole cluster. */
  readonly namespace?: string;
  readonly rules: readonly PolicyRule[];
}

const isRole = (object: KubeObject): object is ClusterRole => object.kind === 'ClusterRole' || object.kind === 'Role';
const isBinding = (object: KubeObject): object is RoleBinding => object.kind.endsWith('RoleBinding');

/** What accounts may do according to the bindings; the roles are among the objects or part of the operator's manifests. */
export const effectiveRights = (objects: readonly KubeObject[]): readonly EffectiveRights[] => {
  const roles = [...objects.filter(isRole), ...driverRoles.map(roleObject)];
  return objects.filter(isBinding).flatMap(({ metadata, roleRef, subjects = [] }) => {
    const { namespace } = metadata;
    const found = roles.find(
      (role) =>
        role.kind === roleRef.kind &&
        role.metadata.name === roleRef.name &&
        (role.kind === 'ClusterRole' || role.metadata.namespace === namespace),
    );
    return subjects.map((subject) => ({
      account: `${subject.namespace ?? ''}/${subject.name}`,
      role: roleRef.name,
      ...(namespace === undefined ? {} : { namespace }),
      // A role of Kubernetes itself is not part of ours.
      rules: found?.rules ?? [],
    }));
  });
};
