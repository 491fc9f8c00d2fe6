import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import type { VmModel, VSphereModel } from '@vdo/vsphere-sim/model';

const spare = (index: number): VmModel => ({
  name: `spare-${index}`,
  folder: 'kubernetes',
  host: 'esx-b3.demo.example',
  uuid: `42120000-0000-4000-8000-0000000000a${index}`,
  guestHostName: `spare-${index}.demo.example`,
  nics: [{ network: 'Kubernetes', ips: [`10.10.0.${30 + index}`] }],
  extraConfig: { 'disk.EnableUUID': 'TRUE' },
});
const spares = [1, 2].map(spare);

/** Off, and made from a node by a replication: it may show the UUID of that node. */
export const replicaVm = 'replica-of-a-node';

/** The demo model with VMs that replace nodes, and one that is a replica of a node. */
export const machinesModel = (): VSphereModel => {
  const model = demoModel();
  const replica: VmModel = { name: replicaVm, folder: 'kubernetes', uuid: '42120000-0000-4000-8000-0000000000ff' };
  return {
    ...model,
    datacenters: model.datacenters.map((one) => ({ ...one, vms: [...one.vms, ...spares, replica] })),
  };
};

export const nodeNames = [1, 2, 3, 4, 5].map((index) => `node-${index}`);

/** Names of VMs by their UUIDs. */
export const vmNames: ReadonlyMap<string, string> = new Map([
  ...[1, 2, 3, 4, 5].map((index) => [demoUuid(index), `node-${index}`] as const),
  ...spares.map(({ uuid = '', name }) => [uuid, name] as const),
]);

/** Addresses by which shares know VMs, by the VM's name: those that it has, and all that it ever had. */
export const createAddresses = () => {
  const present = new Map<string, readonly string[]>();
  const known = new Map<string, Set<string>>();
  const set = (vm: string, ips: readonly string[]) => {
    present.set(vm, ips);
    known.set(vm, new Set([...(known.get(vm) ?? []), ...ips]));
  };
  for (const { vms } of machinesModel().datacenters)
    for (const { name, nics = [] } of vms)
      set(
        name,
        nics.filter(({ insideGuest }) => !insideGuest).flatMap(({ ips }) => ips),
      );
  let renewed = 0;
  return {
    of: (vm: string): readonly string[] => present.get(vm) ?? [],
    everOf: (vm: string): ReadonlySet<string> => known.get(vm) ?? new Set(),
    /** The address that the VM has from now on. */
    renew: (vm: string): string => {
      renewed += 1;
      const address = `10.10.1.${renewed}`;
      set(vm, [address]);
      return address;
    },
  };
};
