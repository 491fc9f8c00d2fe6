import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';

export const namespace = 'vmware-system-vdo';
export const server = 'vc.example.com';
/** Where the drivers of a distribution live, and where one of somebody else could be. */
export const homes = {
  Native: { cpi: namespace, csi: namespace, stranger: 'vmware-system-csi' },
  Upstream: { cpi: 'kube-system', csi: 'vmware-system-csi', stranger: 'kube-system' },
} as const;
export type Home = (typeof homes)[keyof typeof homes];
export const account = { username: 'k8s@vsphere.local', password: 'obviously-fake' };

const principal = account.username;

/** The demo vCenter with one account that has exactly what the drivers need, and may list sessions. */
export const testbedModel = (): VSphereModel => ({
  ...demoModel(),
  policies: [
    { name: 'gold', datastores: ['vsanDatastore', 'shared-vmfs'] },
    { name: 'bronze', datastores: [] },
  ],
  users: [account],
  roles: [
    { name: 'CNS-SEARCH-AND-SPBM', privileges: ['Cns.Searchable', 'StorageProfile.View', 'Sessions.TerminateSession'] },
    { name: 'CNS-DATASTORE', privileges: ['Datastore.FileManagement'] },
    { name: 'CNS-VM', privileges: ['VirtualMachine.Config.AddExistingDisk', 'VirtualMachine.Config.AddRemoveDevice'] },
    { name: 'CNS-HOST-CONFIG-STORAGE', privileges: ['Host.Config.Storage'] },
  ],
  permissions: [
    { principal, role: 'CNS-SEARCH-AND-SPBM', path: '/', propagate: false },
    { principal, role: 'ReadOnly', path: '/demo' },
    { principal, role: 'CNS-DATASTORE', path: '/demo/datastore/vsanDatastore' },
    { principal, role: 'CNS-DATASTORE', path: '/demo/datastore/shared-vmfs' },
    { principal, role: 'CNS-VM', path: '/demo/vm/kubernetes' },
    { principal, role: 'CNS-HOST-CONFIG-STORAGE', path: '/demo/host/compute-a' },
    { principal, role: 'CNS-HOST-CONFIG-STORAGE', path: '/demo/host/compute-b' },
  ],
});

export const testbedSpec = (distribution: keyof typeof homes = 'Native'): VSphereDriversSpecInput => ({
  distribution,
  vcenters: [{ server, credentialsSecret: 'vcenter', datacenters: ['demo'] }],
  cpi: {},
  csi: { fileVolumes: {}, snapshots: {}, storageClasses: [{ name: 'gold', storagePolicy: 'gold' }] },
  topology: { region: 'k8s-region', zone: 'k8s-zone' },
});
