import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { DatacenterModel, VSphereModel } from '../model.ts';
import { buildCompute } from './build-compute.ts';
import type { BuildContext } from './build-context.ts';
import { createFolderBuilder } from './build-folders.ts';
import { buildVms } from './build-vms.ts';
import { networkTree } from './compute-tree.ts';
import { datastoreTree } from './datastore-tree.ts';
import { entityTree } from './entity-tree.ts';
import type { Guest } from './guest-tree.ts';
import { createLinks, named } from './links.ts';

export interface Inventory {
  readonly rootFolder: MoRef;
  /** By the VM's MoRef value. */
  readonly guests: Map<string, Guest>;
  readonly tags: readonly { readonly object: MoRef; readonly category: string; readonly tag: string }[];
}

/** Fills the store with the objects of a model. Deterministic: the same model and seed give the same references and UUIDs. */
export const buildInventory = (
  model: VSphereModel,
  deps: Pick<BuildContext, 'store' | 'ids' | 'random' | 'about' | 'now'>,
): Inventory => {
  const children = createLinks();
  const folders = createFolderBuilder(deps.ids, children);
  const tags: { object: MoRef; category: string; tag: string }[] = [];
  const context: BuildContext = {
    ...deps,
    folders,
    children,
    vms: createLinks(),
    guests: new Map(),
    tag: (object, model = {}) => {
      for (const [category, tag] of Object.entries(model)) tags.push({ object, category, tag });
    },
  };
  const rootFolder = folders.fixed('datacenter', 'Datacenters', undefined);
  for (const datacenter of model.datacenters) buildDatacenter(datacenter, rootFolder, context);
  for (const { ref, tree } of folders.trees()) deps.store.put(ref, tree);
  return { rootFolder, guests: context.guests, tags };
};

const buildDatacenter = (model: DatacenterModel, rootFolder: MoRef, context: BuildContext): void => {
  const { folders, children, store } = context;
  const parent = folders.at('datacenter', rootFolder, model.folder);
  const ref = context.ids.next('Datacenter');
  children.add(parent, ref);
  context.tag(ref, model.tags);
  const [vmFolder, hostFolder, datastoreFolder, networkFolder] = [
    folders.fixed('vm', 'vm', ref),
    folders.fixed('host', 'host', ref),
    folders.fixed('datastore', 'datastore', ref),
    folders.fixed('network', 'network', ref),
  ] as const;

  const networkNames = model.networks ?? ['VM Network'];
  const networks = new Map(networkNames.map((name) => [name, context.ids.next('Network')]));
  const datastores = new Map(model.datastores.map(({ name }) => [name, context.ids.next('Datastore')]));
  const compute = buildCompute(model, { hostFolder, vmFolder, datastores, networks: [...networks.values()] }, context);
  buildVms(model, { vmFolder, datastores, networks, ...compute }, context);
  compute.put();

  for (const [name, network] of networks) {
    children.add(networkFolder, network);
    const hosts = [...compute.hosts.values()].map((host) => host.ref);
    store.put(network, networkTree({ name, ref: network, parent: networkFolder, hosts, vms: context.vms.of(network) }));
  }
  for (const datastore of model.datastores) {
    const datastoreRef = named(datastores, datastore.name, 'datastore');
    children.add(datastoreFolder, datastoreRef);
    context.tag(datastoreRef, datastore.tags);
    const place = { ref: datastoreRef, parent: datastoreFolder, uuid: context.random.uuid() };
    const hosts = compute.hostsOf(datastore).map((host) => host.ref);
    store.put(datastoreRef, datastoreTree(datastore, { ...place, hosts, vms: context.vms.of(datastoreRef) }));
  }
  store.put(ref, {
    ...entityTree(model.name, parent),
    vmFolder,
    hostFolder,
    datastoreFolder,
    networkFolder,
    datastore: [...datastores.values()],
    network: [...networks.values()],
  });
};
