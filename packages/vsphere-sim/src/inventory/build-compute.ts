import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { ClusterModel, DatacenterModel, DatastoreModel, HostModel } from '../model.ts';
import type { BuildContext } from './build-context.ts';
import { type ComputePlace, computeTree, resourcePoolTree, vAppTree } from './compute-tree.ts';
import { hostTree } from './host-tree.ts';
import { createLinks, named } from './links.ts';

export interface BuiltHost {
  readonly ref: MoRef;
  readonly model: HostModel;
  /** The cluster or compute resource. */
  readonly owner: MoRef;
  /** By path below the owner's own pool, whose path is empty. */
  readonly pools: ReadonlyMap<string, MoRef>;
  /** By name. */
  readonly vApps: ReadonlyMap<string, MoRef>;
  readonly datastores: readonly string[];
}

export interface BuiltCompute {
  readonly hosts: ReadonlyMap<string, BuiltHost>;
  hostsOf(datastore: DatastoreModel): readonly BuiltHost[];
  /** Writes clusters, hosts and pools to the store; call it when the VMs are known. */
  put(): void;
}

interface Place {
  readonly hostFolder: MoRef;
  readonly vmFolder: MoRef;
  readonly datastores: ReadonlyMap<string, MoRef>;
  readonly networks: readonly MoRef[];
}

/** Clusters, hosts outside clusters, and their resource pools. */
export const buildCompute = (model: DatacenterModel, place: Place, context: BuildContext): BuiltCompute => {
  const hosts = new Map<string, BuiltHost>();
  const puts: (() => void)[] = [];
  const mounted = (name: string) => model.datastores.filter(({ hosts: only }) => !only || only.includes(name));
  const datastoresOf = (names: readonly string[]) =>
    [...new Set(names.flatMap((name) => hosts.get(name)?.datastores ?? []))].map((name) =>
      named(place.datastores, name, 'datastore'),
    );

  const build = (cluster: ClusterModel, kind: 'cluster' | 'standalone'): void => {
    const parent = context.folders.at('host', place.hostFolder, cluster.folder);
    const owner = context.ids.next(kind === 'cluster' ? 'ClusterComputeResource' : 'ComputeResource');
    context.children.add(parent, owner);
    if (kind === 'cluster') context.tag(owner, cluster.tags);
    const pools = buildPools(owner, cluster, { vmFolder: place.vmFolder, context });
    puts.push(pools.put);
    for (const host of cluster.hosts) {
      const ref = context.ids.next('HostSystem');
      context.tag(ref, host.tags);
      hosts.set(host.name, {
        ref,
        model: host,
        owner,
        pools: pools.byPath,
        vApps: pools.vApps,
        datastores: mounted(host.name).map(({ name }) => name),
      });
      const details = { ref, parent: owner, uuid: context.random.uuid(), networks: place.networks };
      puts.push(() => {
        const vms = context.vms.of(ref);
        const tree = hostTree(host, {
          ...details,
          datastores: datastoresOf([host.name]),
          vms,
          about: context.about,
          bootTime: context.now,
        });
        context.store.put(ref, tree);
      });
    }
    const names = cluster.hosts.map(({ name }) => name);
    const details: ComputePlace = {
      name: cluster.name,
      parent,
      resourcePool: pools.root,
      hosts: names.map((name) => named(hosts, name, 'host')),
      datastores: datastoresOf(names),
      networks: place.networks,
    };
    puts.push(() => context.store.put(owner, computeTree(details, kind)));
  };

  for (const cluster of model.clusters) build(cluster, 'cluster');
  for (const host of model.hosts ?? []) build({ name: host.name, hosts: [host] }, 'standalone');
  return {
    hosts,
    hostsOf: (datastore) =>
      datastore.hosts ? datastore.hosts.map((name) => named(hosts, name, 'host')) : [...hosts.values()],
    put: () => {
      for (const put of puts) put();
    },
  };
};

const buildPools = (
  owner: MoRef,
  { resourcePools: paths = [], vApps: names = [] }: ClusterModel,
  { vmFolder: parentFolder, context }: { readonly vmFolder: MoRef; readonly context: BuildContext },
) => {
  const root = context.ids.next('ResourcePool');
  const byPath = new Map<string, MoRef>([['', root]]);
  const nested = createLinks();
  const pools: { ref: MoRef; name: string; parent: MoRef }[] = [{ ref: root, name: 'Resources', parent: owner }];
  for (const path of paths) {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const current = parts.slice(0, depth).join('/');
      if (byPath.has(current)) continue;
      const parent = named(byPath, parts.slice(0, depth - 1).join('/'), 'resource pool');
      const ref = context.ids.next('ResourcePool');
      byPath.set(current, ref);
      nested.add(parent, ref);
      pools.push({ ref, name: parts[depth - 1] ?? '', parent });
    }
  }
  const vApps = new Map(names.map((name) => [name, context.ids.next('VirtualApp')]));
  for (const vApp of vApps.values()) {
    nested.add(root, vApp);
    context.children.add(parentFolder, vApp);
  }
  const put = (): void => {
    for (const [name, ref] of vApps) {
      const vms = context.vms.of(ref);
      context.store.put(ref, vAppTree({ name, parent: root, owner, pools: [], vms, parentFolder }));
    }
    for (const pool of pools) {
      const vms = context.vms.of(pool.ref);
      context.store.put(pool.ref, resourcePoolTree({ ...pool, owner, pools: nested.of(pool.ref), vms }));
    }
  };
  return { root, byPath, vApps, put };
};
