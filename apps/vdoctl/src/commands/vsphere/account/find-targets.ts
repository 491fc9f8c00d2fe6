import { VdoError } from '@vdo/base/vdo-error';
import type { ClusterFacts } from '@vdo/checks/facts';
import { valueIn } from '@vdo/checks/facts/reading';
import type { PrivilegeScope } from '@vdo/checks/facts/required-role';
import { vmsOn } from '@vdo/checks/storage/segments';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import { chainOf, childrenOf, findByPath } from '../../../shared/vsphere/inventory.ts';
import type { GrantTargets } from './wanted-grants.ts';

/** Objects by inventory path, if there is no cluster yet. */
export interface PathFlags {
  readonly vmFolder: readonly string[];
  readonly datastore: readonly string[];
  readonly cluster: readonly string[];
}

type Reader = Pick<FullVCenter, 'inventory' | 'health' | 'server'>;

const treeTypes = ['Folder', 'Datacenter', 'ComputeResource', 'HostSystem', 'ResourcePool', 'Datastore'];
const computeTypes = ['ClusterComputeResource', 'ComputeResource'];

export const readInventory = ({ inventory }: Pick<FullVCenter, 'inventory'>, signal: AbortSignal): Promise<Ancestors> =>
  inventory.read(treeTypes, { signal });

const unique = (refs: readonly (MoRef | undefined)[]): readonly MoRef[] => [
  ...new Map(refs.flatMap((ref) => (ref ? [[morefKey(ref), ref] as const] : []))).values(),
];

/** A VM may move to any host of its cluster, so all hosts must be readable. */
const withHosts = (inventory: Ancestors, places: readonly MoRef[]): readonly MoRef[] => {
  const owners = places.map((place) => chainOf(inventory, place).find(({ type }) => computeTypes.includes(type)));
  const hosts = unique(owners).flatMap((owner) =>
    childrenOf(inventory, owner).flatMap(({ ref }) => (ref.type === 'HostSystem' ? [ref] : [])),
  );
  return unique([...places, ...hosts]);
};

type Home = Pick<VmFacts, 'folder' | 'resourcePool' | 'host'>;

/** A VM in a vApp has no folder. */
const foldersOf = (vms: readonly Home[]): readonly MoRef[] =>
  unique(vms.map(({ folder, resourcePool }) => folder ?? resourcePool));
const placesOf = (vms: readonly Home[]): readonly MoRef[] =>
  unique(vms.flatMap(({ resourcePool, host }) => [resourcePool, host]));

/** The objects that the checks need, as an administrator sees them. */
export const targetsOfCluster = (
  facts: ClusterFacts,
  server: string,
  inventory: Ancestors,
  root: MoRef,
): GrantTargets => {
  const vcenter = facts.vcenters.find((one) => one.server === server);
  const failed =
    vcenter?.searchError ??
    (vcenter?.privileges && 'error' in vcenter.privileges ? vcenter.privileges.error : undefined);
  if (failed) throw failed;
  const vms = vmsOn(server, facts);
  if (vms.length === 0) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `no VM was found on vCenter ${server} for the ${facts.nodes.length} nodes of the cluster`,
      remedy:
        'Check the nodes with vdoctl nodes, or pass the objects: --vm-folder PATH --cluster PATH --datastore PATH.',
    });
  }
  const roles = valueIn(vcenter?.privileges)?.roles ?? [];
  const objects = (scope: PrivilegeScope): readonly MoRef[] =>
    roles.filter(({ role }) => role.scope === scope).flatMap((found) => found.objects.map(({ ref }) => ref));
  return {
    root,
    folders: foldersOf(vms),
    places: withHosts(inventory, placesOf(vms)),
    datastores: objects('datastores'),
    fileClusters: objects('file-service-clusters'),
  };
};

const vmsBelow = async (
  { inventory, health }: Reader,
  folders: readonly MoRef[],
  signal: AbortSignal,
): Promise<readonly Home[]> => {
  const found: MoRef[] = [];
  for (const below of folders)
    for (const { ref } of (await inventory.read(['VirtualMachine'], { below, signal })).values())
      if (ref.type === 'VirtualMachine') found.push(ref);
  return [...(await health.vms(found, { signal })).values()];
};

const folderAt = (tree: Ancestors, path: string): MoRef => {
  const found = findByPath(tree, path, { types: ['Folder'], flag: '--vm-folder' });
  if (chainOf(tree, found).some(({ type }) => type === 'Datacenter')) return found;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `--vm-folder ${path} is not a VM folder: it is above the datacenters`,
    remedy: 'Pass the folder of the node VMs, such as /DATACENTER/vm/kubernetes.',
  });
};

/** The objects selected by the flags. Without --cluster, the clusters are those where the VMs of the folders run. */
export const targetsOfPaths = async (
  reader: Reader,
  flags: PathFlags,
  input: { readonly inventory: Ancestors; readonly root: MoRef; readonly signal: AbortSignal },
): Promise<GrantTargets> => {
  const { inventory: tree, root, signal } = input;
  const folders = flags.vmFolder.map((path) => folderAt(tree, path));
  const named = flags.cluster.map((path) =>
    findByPath(tree, path, { types: [...computeTypes, 'ResourcePool', 'VirtualApp'], flag: '--cluster' }),
  );
  const pools = named.map((ref) =>
    computeTypes.includes(ref.type)
      ? (childrenOf(tree, ref).find((one) => one.ref.type === 'ResourcePool')?.ref ?? ref)
      : ref,
  );
  const places = named.length > 0 ? pools : placesOf(await vmsBelow(reader, folders, signal));
  if (places.length === 0) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `no VM was found in ${flags.vmFolder.join(', ')}, so the cluster of the nodes cannot be determined`,
      remedy: 'Pass it with --cluster /DATACENTER/host/CLUSTER.',
    });
  }
  const withAllHosts = withHosts(tree, places);
  const owners = places.map((place) => chainOf(tree, place).find(({ type }) => computeTypes.includes(type)));
  return {
    root,
    folders,
    places: withAllHosts,
    datastores: flags.datastore.flatMap((path) => {
      const found = findByPath(tree, path, { types: ['Datastore', 'StoragePod'], flag: '--datastore' });
      return found.type === 'Datastore' ? [found] : childrenOf(tree, found).map(({ ref }) => ref);
    }),
    fileClusters: unique(owners),
  };
};
