import type { VmModel, VSphereModel } from './model.ts';

/** UUID of the VM `node-<index>`: fixed, so that a demo cluster knows the UUIDs of its nodes beforehand. */
export const demoUuid = (index: number): string => `42120000-0000-4000-8000-00000000000${index}`;

const node = (index: number, host: string): VmModel => ({
  name: `node-${index}`,
  folder: 'kubernetes',
  host,
  uuid: demoUuid(index),
  guestHostName: `node-${index}.demo.example`,
  nics: [
    { network: 'Kubernetes', ips: [`10.10.0.${10 + index}`, `fd00:10:10::${10 + index}`] },
    { network: '', ips: ['172.17.0.1'], insideGuest: true },
  ],
  numCpu: 4,
  memoryMb: 8192,
  extraConfig: { 'disk.EnableUUID': 'TRUE' },
});

/**
 * One datacenter `demo` (region `region-1`) with the clusters `compute-a` (zone `zone-a`) and `compute-b` (zone
 * `zone-b`), three hosts each; five node VMs `node-1` … `node-5` over both; a vSAN and a VMFS datastore that all hosts
 * mount, and one that only `compute-a` mounts; the least-privilege accounts `cpi@vsphere.local` and `csi@vsphere.local`.
 */
export const demoModel = (): VSphereModel => ({
  datacenters: [
    {
      name: 'demo',
      tags: { 'k8s-region': 'region-1' },
      clusters: [
        {
          name: 'compute-a',
          tags: { 'k8s-zone': 'zone-a' },
          hosts: [{ name: 'esx-a1.demo.example' }, { name: 'esx-a2.demo.example' }, { name: 'esx-a3.demo.example' }],
        },
        {
          name: 'compute-b',
          tags: { 'k8s-zone': 'zone-b' },
          hosts: [{ name: 'esx-b1.demo.example' }, { name: 'esx-b2.demo.example' }, { name: 'esx-b3.demo.example' }],
        },
      ],
      datastores: [
        { name: 'vsanDatastore', type: 'vsan', capacityGb: 20_480 },
        { name: 'shared-vmfs', type: 'VMFS', capacityGb: 4_096 },
        {
          name: 'local-a',
          type: 'VMFS',
          capacityGb: 512,
          hosts: ['esx-a1.demo.example', 'esx-a2.demo.example', 'esx-a3.demo.example'],
        },
      ],
      networks: ['VM Network', 'Kubernetes'],
      vms: [
        node(1, 'esx-a1.demo.example'),
        node(2, 'esx-a2.demo.example'),
        node(3, 'esx-a3.demo.example'),
        node(4, 'esx-b1.demo.example'),
        node(5, 'esx-b2.demo.example'),
      ],
    },
  ],
  users: [
    { username: 'cpi@vsphere.local', password: 'obviously-fake-cpi' },
    { username: 'csi@vsphere.local', password: 'obviously-fake-csi' },
  ],
  roles: [
    { name: 'CNS-SEARCH-AND-SPBM', privileges: ['Cns.Searchable', 'StorageProfile.View'] },
    { name: 'CNS-DATASTORE', privileges: ['Datastore.FileManagement'] },
    { name: 'CNS-VM', privileges: ['VirtualMachine.Config.AddExistingDisk', 'VirtualMachine.Config.AddRemoveDevice'] },
  ],
  permissions: [
    { principal: 'cpi@vsphere.local', role: 'ReadOnly', path: '/' },
    { principal: 'csi@vsphere.local', role: 'CNS-SEARCH-AND-SPBM', path: '/' },
    { principal: 'csi@vsphere.local', role: 'CNS-DATASTORE', path: '/demo/datastore/vsanDatastore' },
    { principal: 'csi@vsphere.local', role: 'CNS-DATASTORE', path: '/demo/datastore/shared-vmfs' },
    { principal: 'csi@vsphere.local', role: 'CNS-VM', path: '/demo/vm/kubernetes' },
  ],
});
