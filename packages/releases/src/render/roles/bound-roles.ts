import type { RoleBinding } from '@vdo/kube/types/cluster';
import type { AnyObject } from '@vdo/kube/types/object';
import type { DriverRole } from './driver-role.ts';
import { driverRoles } from './driver-roles.ts';

/** The roles that bindings among the objects refer to. */
export const boundRoles = (objects: readonly AnyObject[]): readonly DriverRole[] => {
  const bound = new Set(
    objects
      .filter(({ kind }) => kind === 'ClusterRoleBinding' || kind === 'RoleBinding')
      .map((object) => (object as unknown as RoleBinding).roleRef.name),
  );
  return driverRoles.filter(({ name }) => bound.has(name));
};
