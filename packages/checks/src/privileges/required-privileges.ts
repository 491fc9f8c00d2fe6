import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { hasOwnAccount } from '@vdo/config/driver-accounts';
import type { RequiredRole } from '../facts/required-role.ts';

/** System.* is part of every role and sufficient for read access. */
export const readPrivileges = ['System.Anonymous', 'System.Read', 'System.View'] as const;

const reader: RequiredRole = {
  name: 'ReadOnly',
  privileges: readPrivileges,
  scope: 'ancestors',
  on: 'every folder, datacenter, cluster, host and resource pool above the node VMs',
  propagate: false,
  check: 'privileges/ancestors-readable',
};

const searcher: RequiredRole = {
  name: 'CNS-SEARCH-AND-SPBM',
  privileges: ['Cns.Searchable', 'StorageProfile.View'],
  scope: 'root',
  on: 'the root of the inventory',
  propagate: false,
  check: 'privileges/root',
};

const storageRoles: readonly RequiredRole[] = [
  searcher,
  {
    name: 'CNS-VM',
    privileges: ['VirtualMachine.Config.AddExistingDisk', 'VirtualMachine.Config.AddRemoveDevice'],
    scope: 'node-vms',
    on: 'the node VMs, or the folder that holds them',
    propagate: true,
    check: 'privileges/node-vms',
  },
  {
    name: 'CNS-DATASTORE',
    privileges: ['Datastore.FileManagement'],
    scope: 'datastores',
    on: 'the datastores that all nodes, or all nodes of a zone, share',
    propagate: false,
    check: 'privileges/datastores',
  },
];

/** To move a volume, vCenter also allocates space on the new datastore. */
const withMoves = (role: RequiredRole): RequiredRole =>
  role.scope === 'datastores' ? { ...role, privileges: [...role.privileges, 'Datastore.AllocateSpace'] } : role;

const fileRole: RequiredRole = {
  name: 'CNS-HOST-CONFIG-STORAGE',
  privileges: ['Host.Config.Storage'],
  scope: 'file-service-clusters',
  on: 'the clusters with vSAN file services',
  propagate: true,
  check: 'privileges/file-services',
};

/** The roles that the account of each vCenter needs for this spec. */
export const requiredPrivileges = ({ csi }: Pick<VSphereDriversSpec, 'csi'>): readonly RequiredRole[] => [
  reader,
  ...(csi ? (csi.volumeMoves ? storageRoles.map(withMoves) : storageRoles) : []),
  ...(csi?.fileVolumes ? [fileRole] : []),
];

/** What one account needs if drivers have their own: `operator` is the account of the vCenters, with which volumes are counted. */
export const privilegesFor = (
  spec: Pick<VSphereDriversSpec, 'cpi' | 'csi' | 'vcenters'>,
  user: 'operator' | readonly ('cpi' | 'csi')[],
): readonly RequiredRole[] => {
  if (user !== 'operator') return requiredPrivileges(user.includes('csi') ? spec : {});
  if (!spec.csi || !hasOwnAccount(spec, 'csi')) return requiredPrivileges(spec);
  return [reader, searcher];
};
