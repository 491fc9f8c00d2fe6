import type { Random } from '@vdo/base/random';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { DatacenterModel, VmModel } from '../model.ts';
import type { BuiltHost } from './build-compute.ts';
import type { BuildContext } from './build-context.ts';
import type { Guest } from './guest-tree.ts';
import { named } from './links.ts';
import { vmTree } from './vm-tree.ts';

interface Place {
  readonly vmFolder: MoRef;
  readonly datastores: ReadonlyMap<string, MoRef>;
  readonly networks: ReadonlyMap<string, MoRef>;
  readonly hosts: ReadonlyMap<string, BuiltHost>;
}

/** The VMs of a datacenter: distributed over the hosts unless the model names the host. */
export const buildVms = (model: DatacenterModel, place: Place, context: BuildContext): void => {
  const hosts = [...place.hosts.values()];
  model.vms.forEach((vm, index) => {
    const host = vm.host === undefined ? hosts[index % hosts.length] : named(place.hosts, vm.host, 'host');
    buildVm(vm, host ?? named(place.hosts, 'any', 'host'), { place, context });
  });
};

const buildVm = (
  model: VmModel,
  host: BuiltHost,
  { place, context }: { readonly place: Place; readonly context: BuildContext },
): void => {
  const { ids, random, vms } = context;
  const vApp = model.vApp === undefined ? undefined : named(host.vApps, model.vApp, 'vApp');
  const folder = vApp ? undefined : context.folders.at('vm', place.vmFolder, model.folder);
  const ref = ids.next('VirtualMachine');
  const network = (name: string) => named(place.networks, name, 'network');
  const resourcePool = vApp ?? named(host.pools, model.resourcePool ?? '', 'resource pool');
  const datastoreName = model.datastore ?? host.datastores[0] ?? '';
  const datastore = { ref: named(place.datastores, datastoreName, 'datastore'), name: datastoreName };
  const guest = guestOf(model, random);
  const tree = vmTree(model, {
    ref,
    folder,
    vApp,
    host: host.ref,
    resourcePool,
    datastore,
    uuid: (model.uuid ?? random.uuid()).toLowerCase(),
    instanceUuid: (model.instanceUuid ?? random.uuid()).toLowerCase(),
    diskUuid: random.uuid(),
    guest,
    network,
    now: context.now,
  });
  context.guests.set(ref.value, guest);
  context.tag(ref, model.tags);
  if (folder) context.children.add(folder, ref);
  for (const owner of [host.ref, resourcePool, datastore.ref, ...tree.network]) vms.add(owner, ref);
  context.store.put(ref, tree);
};

const guestOf = (model: VmModel, random: Random): Guest => ({
  hostName: model.guestHostName ?? model.name,
  tools: model.tools ?? true,
  guestId: model.guestId ?? 'ubuntu64Guest',
  nics: (model.nics ?? []).map((nic) => ({
    network: nic.network,
    mac: nic.mac ?? randomMac(random),
    ips: nic.ips,
    insideGuest: nic.insideGuest ?? false,
  })),
});

// 00:50:56:80-bf is the range from which vCenter assigns addresses.
const randomMac = (random: Random): string => {
  const byte = (from: number, to: number) =>
    (from + Math.floor(random.next() * (to - from + 1))).toString(16).padStart(2, '0');
  return `00:50:56:${byte(0x80, 0xbf)}:${byte(0, 255)}:${byte(0, 255)}`;
};
