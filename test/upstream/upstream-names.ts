import type { RoleBinding } from '@vdo/kube/types/cluster';
import type { AnyObject } from '@vdo/kube/types/object';
import { boundRoles } from '@vdo/releases/render/roles/bound-roles';
import { roleObject } from '@vdo/releases/render/roles/driver-role';
import { upstreamCpiRoles, upstreamCsiRoles } from '@vdo/releases/render/roles/upstream-roles';

/** Role of ours → the names of role and binding in the upstream manifests; for what upstream has not, names that say so. */
const upstreamNames: ReadonlyMap<string, readonly [role: string, binding: string]> = new Map([
  [upstreamCsiRoles.controller.name, ['vsphere-csi-controller-role', 'vsphere-csi-controller-binding']],
  [upstreamCsiRoles.local.name, ['vsphere-csi-controller:local', 'vsphere-csi-controller:local']],
  [upstreamCsiRoles.node.name, ['vsphere-csi-node-cluster-role', 'vsphere-csi-node-cluster-role-binding']],
  [upstreamCsiRoles.nodeLocal.name, ['vsphere-csi-node-role', 'vsphere-csi-node-binding']],
  [upstreamCpiRoles.controller.name, ['system:cloud-controller-manager', 'system:cloud-controller-manager']],
  [upstreamCpiRoles.allSecrets.name, ['system:cloud-controller-manager', 'cloud-controller-manager:local']],
  [upstreamCpiRoles.leases.name, ['cloud-controller-manager:local', 'cloud-controller-manager:local']],
  [upstreamCpiRoles.secrets.name, ['cloud-controller-manager:local', 'cloud-controller-manager:local']],
]);

const isBinding = ({ kind }: AnyObject): boolean => kind.endsWith('RoleBinding');

/**
 * The objects with their rights under the names of the upstream manifests, so that only what differs in substance is left to compare.
 * A role that counts in one namespace is shown as a Role of it.
 */
export const withUpstreamNames = (objects: readonly AnyObject[]): readonly AnyObject[] => {
  const roles = boundRoles(objects);
  return objects.flatMap((object) => {
    const binding = object as unknown as RoleBinding;
    const names = isBinding(object) ? upstreamNames.get(binding.roleRef.name) : undefined;
    const found = names && roles.find(({ name }) => name === binding.roleRef.name);
    if (!names || !found) return [object];
    const { namespace } = object.metadata;
    const kind = namespace === undefined ? 'ClusterRole' : 'Role';
    const place = namespace === undefined ? {} : { namespace };
    return [
      { ...roleObject(found), kind, metadata: { name: names[0], ...place } },
      {
        ...object,
        metadata: { ...object.metadata, name: names[1] },
        roleRef: { ...binding.roleRef, kind, name: names[0] },
      },
    ];
  });
};
