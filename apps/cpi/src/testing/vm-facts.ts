import type { GuestNic, VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { moref } from '@vdo/vsphere/wire/moref';

/** NICs as `network → addresses`; a name that starts with `guest:` is a device inside the guest (deviceConfigId −1). */
export const nics = (networks: Readonly<Record<string, readonly string[]>>): readonly GuestNic[] =>
  Object.entries(networks).map(([name, ips], index) => ({
    network: name.replace(/^guest:/, ''),
    mac: `00:50:56:00:00:${index.toString(16).padStart(2, '0')}`,
    connected: true,
    deviceConfigId: name.startsWith('guest:') ? -1 : 4000 + index,
    ips,
  }));

/** A running node VM with one address; override what a test is about. */
export const vmFacts = (overrides: Partial<VmFacts> = {}): VmFacts => ({
  server: 'vc.example.com',
  ref: moref('VirtualMachine', 'vm-1'),
  name: 'node-1',
  uuid: '422e4956-ad22-1139-6d72-59cc8f26bc90',
  instanceUuid: '502e4956-ad22-1139-6d72-59cc8f26bc90',
  powerState: 'poweredOn',
  toolsRunning: true,
  hostName: 'node-1',
  nics: nics({ 'VM Network': ['10.0.0.1'] }),
  numCpu: 4,
  memoryMb: 8192,
  guestId: 'ubuntu64Guest',
  host: moref('HostSystem', 'host-1'),
  folder: moref('Folder', 'group-v1'),
  resourcePool: moref('ResourcePool', 'resgroup-1'),
  extraConfig: {},
  ...overrides,
});
