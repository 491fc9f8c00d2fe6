import type { MoRef } from '@vdo/vsphere/wire/moref';
import { make } from '@vdo/vsphere/wire/schema';
import { ClusterComputeResourceSummary, ClusterConfigInfoEx } from '@vdo/vsphere/wire/types/inventory';
import type { HostModel } from '../model.ts';
import type { ComputeResource, Folder, Network, ResourcePool, TreeOf, VirtualApp } from '../state/managed-types.ts';
import { entityTree } from './entity-tree.ts';
import { hostCapacity } from './host-tree.ts';

export interface ComputePlace {
  readonly name: string;
  readonly parent: MoRef;
  readonly resourcePool: MoRef;
  readonly hosts: readonly { readonly ref: MoRef; readonly model: HostModel }[];
  readonly datastores: readonly MoRef[];
  readonly networks: readonly MoRef[];
}

/** A cluster, or the compute resource that vCenter creates for a host outside clusters. */
export const computeTree = (place: ComputePlace, kind: 'cluster' | 'standalone') => {
  const effective = place.hosts.filter(
    ({ model }) => !model.maintenance && (model.connection ?? 'connected') === 'connected',
  );
  const cores = place.hosts.length * hostCapacity.cores;
  const summary = {
    totalCpu: cores * hostCapacity.mhz,
    totalMemory: BigInt(place.hosts.length) * hostCapacity.memoryBytes,
    numCpuCores: cores,
    numCpuThreads: cores * 2,
    effectiveCpu: effective.length * hostCapacity.cores * hostCapacity.mhz,
    effectiveMemory: (BigInt(effective.length) * hostCapacity.memoryBytes) / 1024n ** 2n,
    numHosts: place.hosts.length,
    numEffectiveHosts: effective.length,
    overallStatus: 'green',
  };
  const config = { vmSwapPlacement: 'vmDirectory', spbmEnabled: true };
  return {
    ...entityTree(place.name, place.parent),
    resourcePool: place.resourcePool,
    host: place.hosts.map(({ ref }) => ref),
    datastore: place.datastores,
    network: place.networks,
    summary:
      kind === 'cluster'
        ? make(ClusterComputeResourceSummary, { ...summary, currentFailoverLevel: 0, numVmotions: 0 })
        : summary,
    configurationEx:
      kind === 'cluster'
        ? make(ClusterConfigInfoEx, { ...config, dasConfig: { enabled: true }, drsConfig: { enabled: true } })
        : config,
  } satisfies TreeOf<typeof ComputeResource>;
};

const allocation = {
  reservation: 0n,
  expandableReservation: true,
  limit: -1n,
  shares: { shares: 4000, level: 'normal' },
};

export const resourcePoolTree = (place: {
  readonly name: string;
  readonly parent: MoRef;
  readonly owner: MoRef;
  readonly pools: readonly MoRef[];
  readonly vms: readonly MoRef[];
}) =>
  ({
    ...entityTree(place.name, place.parent),
    summary: { name: place.name, runtime: { overallStatus: 'green' }, configuredMemoryMB: 0 },
    runtime: { overallStatus: 'green' },
    owner: place.owner,
    resourcePool: place.pools,
    vm: place.vms,
    config: { cpuAllocation: allocation, memoryAllocation: allocation },
  }) satisfies TreeOf<typeof ResourcePool>;

/** A resource pool that is in a folder of VMs, too. */
export const vAppTree = (
  place: Parameters<typeof resourcePoolTree>[0] & { readonly parentFolder: MoRef },
): TreeOf<typeof VirtualApp> => ({
  ...resourcePoolTree(place),
  parentFolder: place.parentFolder,
});

export const networkTree = (place: {
  readonly name: string;
  readonly ref: MoRef;
  readonly parent: MoRef;
  readonly hosts: readonly MoRef[];
  readonly vms: readonly MoRef[];
}) =>
  ({
    ...entityTree(place.name, place.parent),
    summary: { network: place.ref, name: place.name, accessible: true },
    host: place.hosts,
    vm: place.vms,
  }) satisfies TreeOf<typeof Network>;

const childTypes = {
  datacenter: ['Folder', 'Datacenter'],
  vm: ['Folder', 'VirtualMachine', 'VirtualApp'],
  host: ['Folder', 'ComputeResource'],
  datastore: ['Folder', 'Datastore', 'StoragePod'],
  network: ['Folder', 'Network', 'DistributedVirtualSwitch'],
} as const;

export const folderTree = (place: {
  readonly name: string;
  readonly kind: keyof typeof childTypes;
  readonly parent: MoRef | undefined;
  readonly children: readonly MoRef[];
}) =>
  ({
    ...entityTree(place.name, place.parent),
    childType: childTypes[place.kind],
    childEntity: place.children,
  }) satisfies TreeOf<typeof Folder>;
