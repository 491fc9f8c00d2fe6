import { nodes } from '@vdo/kube/types/core';
import { make } from '@vdo/vsphere/wire/schema';
import { VirtualMachineSnapshotInfo, VirtualMachineSnapshotTree } from '@vdo/vsphere/wire/types/vm';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import type { CheckCase } from './check-case.ts';
import { type CheckTestbed, patchSpec } from './check-testbed.ts';
import { account, server, testbedModel } from './testbed-model.ts';
import { nodeObject, put } from './testbed-objects.ts';

const user = account.username;
const otherUuid = '42990000-0000-4000-8000-000000000099';
/** A provider id cannot be changed: the node object is deleted and made again. */
const registerAgain = async ({ kube }: CheckTestbed, node: ReturnType<typeof nodeObject>): Promise<void> => {
  await kube.delete(nodes, { name: node.metadata.name });
  await put(kube, nodes, node);
};
const setNode = (testbed: CheckTestbed, change: (node: ReturnType<typeof nodeObject>) => object): Promise<void> =>
  registerAgain(testbed, change(nodeObject(1)) as ReturnType<typeof nodeObject>);
const restoreNode = (testbed: CheckTestbed): Promise<void> => registerAgain(testbed, nodeObject(1));
const uninitialized = { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' } as const;

const snapshotInfo = (testbed: CheckTestbed) =>
  make(VirtualMachineSnapshotInfo, {
    rootSnapshotList: [
      make(VirtualMachineSnapshotTree, {
        snapshot: { type: 'VirtualMachineSnapshot', value: 'snapshot-1' },
        vm: testbed.vsphere.control.find('node-1', 'VirtualMachine'),
        name: 'nightly-backup',
        description: '',
        id: 1,
        createTime: new Date(testbed.clock.now()),
        state: 'poweredOn',
        quiesced: false,
        childSnapshotList: [],
      }),
    ],
  });

/** Takes all but one place of the only controller. */
const fillController = (testbed: CheckTestbed, count: number): void => {
  const { control } = testbed.vsphere;
  const devices = control.read('node-1', 'config.hardware.device') as readonly {
    readonly $type: string;
    readonly key: number;
  }[];
  const [disk] = devices.filter(({ $type }) => $type === 'VirtualDisk');
  if (!disk) throw new Error('the VM has no disk to copy');
  const more = Array.from({ length: count }, (_, index) => ({
    ...disk,
    key: disk.key + 1 + index,
    unitNumber: index + 1,
  }));
  control.write('node-1', { 'config.hardware.device': [...devices, ...more] });
};

/** What the account may do. */
export const privilegeCases: readonly CheckCase[] = [
  {
    check: 'privileges/root',
    when: 'the account may read the root and no more',
    breaks: ({ vsphere }) => vsphere.control.grant(user, 'ReadOnly', '/', { propagate: false }),
    result: 'Fail',
    reason: 'PrivilegeMissing',
    names: ['Cns.Searchable and StorageProfile.View', `vdoctl vsphere user apply '${user}' --server ${server}`],
    repair: 'run',
  },
  {
    check: 'privileges/root',
    when: 'the account may not even read the root',
    breaks: ({ vsphere }) => vsphere.control.revoke(user, '/'),
    result: 'Fail',
    reason: 'PrivilegeMissing',
    names: ['the role CNS-SEARCH-AND-SPBM (Cns.Searchable, StorageProfile.View)'],
    repair: 'run',
  },
  {
    check: 'privileges/node-vms',
    when: 'the folder of the nodes was left out',
    breaks: ({ vsphere }) => vsphere.control.revoke(user, '/demo/vm/kubernetes'),
    result: 'Fail',
    reason: 'PrivilegeMissing',
    names: ['VirtualMachine.Config.AddExistingDisk', '/demo/vm/kubernetes, with propagation'],
    repair: 'run',
  },
  {
    check: 'privileges/datastores',
    when: 'no datastore was granted',
    breaks: ({ vsphere }) => {
      vsphere.control.revoke(user, '/demo/datastore/vsanDatastore');
      vsphere.control.revoke(user, '/demo/datastore/shared-vmfs');
    },
    result: 'Fail',
    reason: 'PrivilegeMissing',
    names: ['Datastore.FileManagement', 'vsanDatastore', 'shared-vmfs'],
    repair: 'run',
  },
  {
    check: 'privileges/file-services',
    when: 'a vSAN cluster was left out',
    breaks: ({ vsphere }) => vsphere.control.revoke(user, '/demo/host/compute-b'),
    result: 'Fail',
    reason: 'PrivilegeMissing',
    names: ['Host.Config.Storage', '/demo/host/compute-b'],
    repair: 'run',
  },
  {
    check: 'privileges/ancestors-readable',
    when: 'the root is hidden',
    breaks: ({ vsphere }) => vsphere.control.revoke(user, '/'),
    result: 'Fail',
    reason: 'AncestorHidden',
    names: ['Datacenter demo', 'the role ReadOnly', 'vdoctl vsphere user apply'],
    repair: 'run',
  },
  {
    check: 'privileges/excess-privilege',
    when: 'the account is an administrator',
    breaks: ({ vsphere }) => vsphere.control.grant(user, 'Admin', '/'),
    result: 'Warn',
    reason: 'ExcessPrivilege',
    names: ['Authorization.ModifyPermissions', 'vdoctl vsphere user create'],
    repair: ({ vsphere }) => vsphere.control.grant(user, 'CNS-SEARCH-AND-SPBM', '/', { propagate: false }),
  },
];

/** Nodes and their VMs. */
export const nodeCases: readonly CheckCase[] = [
  {
    check: 'node/vm-found',
    when: 'the VM of a node is hidden',
    breaks: ({ vsphere }) => vsphere.control.grant(user, 'NoAccess', '/demo/vm/kubernetes/node-1'),
    result: 'Fail',
    reason: 'NodeVmNotFound',
    names: [demoUuid(1), 'spec.vcenters[].datacenters'],
    repair: ({ vsphere }) => vsphere.control.revoke(user, '/demo/vm/kubernetes/node-1'),
  },
  {
    check: 'node/vm-found',
    when: 'a datacenter of the spec does not exist',
    breaks: (testbed) =>
      patchSpec(testbed, (spec) => ({
        ...spec,
        vcenters: spec.vcenters.map((one) => ({ ...one, datacenters: ['dmeo'] })),
      })),
    result: 'Fail',
    reason: 'ConfigInvalid',
    names: ['"dmeo"', '/demo'],
    repair: (testbed) =>
      patchSpec(testbed, (spec) => ({
        ...spec,
        vcenters: spec.vcenters.map((one) => ({ ...one, datacenters: ['demo'] })),
      })),
  },
  {
    check: 'node/uuid-match',
    when: 'the UUID was changed while the VM ran',
    breaks: ({ vsphere }) => {
      vsphere.control.write('node-1', { 'config.uuid': otherUuid });
      vsphere.control.setGuestHostName('node-1', 'node-1');
    },
    result: 'Fail',
    reason: 'UuidMismatch',
    names: [otherUuid, 'govc vm.change'],
    repair: 'run',
  },
  {
    check: 'node/uuid-duplicate',
    when: 'a VM was cloned with its UUID',
    breaks: async ({ vsphere, kube }) => {
      const [first, second] = [nodeObject(1), nodeObject(2)];
      const clone = { ...second, status: { ...second.status, nodeInfo: first.status.nodeInfo } };
      vsphere.control.write('node-2', { 'config.uuid': first.status.nodeInfo.systemUUID });
      await put(kube, nodes, clone);
    },
    result: 'Fail',
    reason: 'UuidDuplicate',
    names: ['govc vm.change', 'uuidgen'],
    repair: async ({ vsphere, kube }) => {
      vsphere.control.write('node-2', { 'config.uuid': otherUuid });
      await kube.delete(nodes, { name: 'node-2' });
      await put(kube, nodes, nodeObject(2, otherUuid));
    },
  },
  {
    check: 'node/provider-id',
    when: 'another cloud provider was there first',
    breaks: (testbed) => setNode(testbed, (node) => ({ ...node, spec: { providerID: 'k3s://node-1' } })),
    result: 'Fail',
    reason: 'NodeForeignProviderId',
    names: ['k3s://node-1', 'kubectl delete node node-1'],
    repair: restoreNode,
  },
  {
    check: 'node/provider-id',
    when: 'the VM was made anew',
    breaks: (testbed) => setNode(testbed, (node) => ({ ...node, spec: { providerID: `vsphere://${otherUuid}` } })),
    result: 'Fail',
    reason: 'ProviderIdMismatch',
    names: [otherUuid, 'kubectl delete node node-1'],
    repair: restoreNode,
  },
  {
    check: 'node/taint-stuck',
    when: 'a node waits for seven minutes',
    breaks: async (testbed) => {
      await setNode(testbed, (node) => ({ ...node, spec: { taints: [uninitialized] } }));
      await testbed.clock.advance(7 * 60_000);
    },
    result: 'Fail',
    reason: 'UninitializedTaintStuck',
    names: ['7 minutes', 'kubectl describe node node-1'],
    repair: restoreNode,
  },
  {
    check: 'node/addresses',
    when: 'a node has an address that its VM has not',
    breaks: (testbed) =>
      setNode(testbed, (node) => ({
        ...node,
        status: { ...node.status, addresses: [{ type: 'InternalIP', address: '192.168.7.1' }] },
      })),
    result: 'Fail',
    reason: 'NodeIpNotOnVm',
    names: ['192.168.7.1', '10.10.0.11', '"subnets":["10.10.0.0/24"]'],
    // What the cloud controller manager does once it is told the network.
    repair: restoreNode,
  },
  {
    check: 'node/disk-enable-uuid',
    when: 'the option is not set',
    breaks: ({ vsphere }) => vsphere.control.setExtraConfig('node-1', { 'disk.EnableUUID': '' }),
    result: 'Fail',
    reason: 'DiskUuidDisabled',
    names: ['drains node node-1', 'vdoctl doctor --only node/disk-enable-uuid --fix --power-cycle'],
    repair: 'run',
  },
  {
    check: 'node/hardware-version',
    when: 'the VM was made for ESXi 6.5',
    breaks: ({ vsphere }) => vsphere.control.write('node-1', { 'config.version': 'vmx-13' }),
    result: 'Fail',
    reason: 'HardwareTooOld',
    names: ['vmx-13', 'vdoctl doctor --only node/hardware-version --fix --power-cycle'],
    repair: 'run',
  },
  {
    check: 'node/esxi-version',
    when: 'a host is older than the drivers need',
    breaks: ({ vsphere }) =>
      vsphere.control.write('esx-a1.demo.example', {
        'summary.config.product.version': '6.5.0',
        'summary.config.product.apiVersion': '6.5.3',
      }),
    result: 'Fail',
    reason: 'HostTooOld',
    names: ['ESXi 6.5.0', 'node-1', 'govc vm.migrate'],
    repair: ({ vsphere }) => vsphere.control.migrate('node-1', 'esx-a2.demo.example'),
  },
  {
    check: 'node/disk-slots',
    when: 'all places are taken',
    breaks: (testbed) => fillController(testbed, 14),
    result: 'Fail',
    reason: 'NoDiskSlots',
    names: ['15 of 15', 'govc device.scsi.add', '-type pvscsi'],
    repair: 'run',
  },
  {
    check: 'node/disk-slots',
    when: 'two places are left',
    breaks: (testbed) => fillController(testbed, 12),
    result: 'Warn',
    reason: 'FewDiskSlots',
    names: ['13 of 15'],
    repair: 'run',
  },
  {
    check: 'node/vm-moved',
    when: 'the VM is in a datacenter that is not configured',
    breaks: (testbed) =>
      patchSpec(testbed, (spec) => ({
        ...spec,
        vcenters: spec.vcenters.map((one) => ({ ...one, datacenters: ['spare'] })),
      })),
    result: 'Fail',
    reason: 'VmOutsideDatacenters',
    names: ['datacenter demo', '"value":"demo"'],
    repair: 'run',
  },
  {
    check: 'node/tools-running',
    when: 'VMware Tools are stopped',
    breaks: ({ vsphere }) => vsphere.control.setTools('node-1', false),
    result: 'Fail',
    reason: 'ToolsNotRunning',
    names: ['open-vm-tools'],
    repair: ({ vsphere }) => vsphere.control.setTools('node-1', true),
  },
  {
    check: 'node/tools-running',
    when: 'the VM is off',
    breaks: ({ vsphere }) => vsphere.control.powerOff('node-1'),
    result: 'Fail',
    reason: 'ToolsNotRunning',
    names: ['govc vm.power -on'],
    repair: 'run',
  },
  {
    check: 'node/vm-snapshot',
    when: 'a backup left a snapshot',
    breaks: (testbed) => testbed.vsphere.control.write('node-1', { snapshot: snapshotInfo(testbed) }),
    result: 'Warn',
    reason: 'VmHasSnapshot',
    names: ['nightly-backup', 'govc snapshot.remove'],
    repair: 'run',
  },
];

/** Zones and regions. */
export const topologyCases: readonly CheckCase[] = [
  {
    check: 'topology/categories-exist',
    when: 'the spec names another category',
    breaks: (testbed) => patchSpec(testbed, (spec) => ({ ...spec, topology: { ...spec.topology, zone: 'zones' } })),
    result: 'Fail',
    reason: 'CategoryMissing',
    names: ['zones', 'govc tags.category.create'],
    repair: 'run',
  },
  {
    check: 'topology/tags-in-ancestry',
    when: 'no zone is on anything above a node',
    breaks: async (testbed) => {
      testbed.vsphere.control.tag('/demo/datastore/local-a', 'rack', 'r1');
      patchSpec(testbed, (spec) => ({ ...spec, topology: { ...spec.topology, categories: [{ name: 'rack' }] } }));
    },
    result: 'Fail',
    reason: 'TagMissing',
    names: ['category rack', "govc tags.attach -c 'rack' TAG '/demo/host/compute-a'"],
    repair: ({ vsphere }) => {
      vsphere.control.tag('/demo/host/compute-a', 'rack', 'r1');
      vsphere.control.tag('/demo/host/compute-b', 'rack', 'r2');
    },
  },
  {
    check: 'topology/tags-in-ancestry',
    when: 'the host has another zone than its cluster',
    breaks: ({ vsphere }) => vsphere.control.tag('/demo/host/compute-a/esx-a1.demo.example', 'k8s-zone', 'zone-x'),
    result: 'Fail',
    reason: 'TagAmbiguous',
    names: ['zone-x on /demo/host/compute-a/esx-a1.demo.example', 'zone-a on /demo/host/compute-a', 'govc tags.detach'],
    repair: 'run',
  },
  {
    check: 'topology/labels-match',
    when: 'the VM was moved to another zone',
    breaks: ({ vsphere }) => vsphere.control.migrate('node-1', 'esx-b3.demo.example'),
    result: 'Fail',
    reason: 'LabelsDiffer',
    names: [
      'topology.kubernetes.io/zone is zone-a, expected zone-b',
      'kubectl label node node-1 --overwrite topology.kubernetes.io/zone=zone-b',
    ],
    repair: 'run',
  },
];

/** The testbed with a second, empty datacenter. */
export const modelWithSpare = () => {
  const model = testbedModel();
  const spare = { name: 'spare', clusters: [], hosts: [], datastores: [], vms: [] };
  const read = { principal: user, role: 'ReadOnly', path: '/spare' };
  return { ...model, datacenters: [...model.datacenters, spare], permissions: [...(model.permissions ?? []), read] };
};
