import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { VCenter } from '@vdo/vsphere/vcenter';
import { morefKey } from '@vdo/vsphere/wire/moref';
import type { NodeSnapshot } from './cluster-node.ts';
import { decidePlacement, type PlaceFacts } from './decide-placement.ts';
import { findNodeVms, type NodeVm, type NodeVms } from './node-vms.ts';
import type { Placer } from './placer.ts';
import { type Segments, within } from './segments.ts';
import { createVersionedCache } from './versioned-cache.ts';

export interface PlacerDeps {
  readonly vcenters: readonly VCenter[];
  /** Datacenters to look in, per vCenter. Default: all. */
  readonly datacentersOf?: (server: string) => readonly string[];
  /** The nodes of the cluster now. */
  readonly nodes: () => NodeSnapshot;
  readonly clock: Clock;
  /** Mounts of datastores are not watched: how long an answer about them is trusted. Default 60 s. */
  readonly maxAgeMs?: number;
}

/** The node VMs of one place on one vCenter; never empty. */
interface Group {
  readonly vcenter: VCenter;
  readonly topology: Segments | undefined;
  readonly members: readonly NodeVm[];
}

const spread = (servers: readonly string[]): VdoError =>
  new VdoError({
    code: 'VolumeNoDatastore',
    message: `the nodes are spread over the vCenters ${servers.join(', ')}, which share no datastore`,
    remedy:
      'Configure csi.topologyCategories and use volumeBindingMode WaitForFirstConsumer, so that each volume has its zone.',
    details: { servers },
  });

const groupsOf = (vcenters: readonly VCenter[], vms: NodeVms, topologies: readonly Segments[]): readonly Group[] => {
  const places = topologies.length > 0 ? topologies : [undefined];
  return places.flatMap((topology) =>
    vcenters.flatMap((vcenter): readonly Group[] => {
      const members = vms.found.filter(
        (one) => one.vcenter === vcenter && (topology === undefined || within(one.node.labels, topology)),
      );
      return members.length > 0 ? [{ vcenter, topology, members }] : [];
    }),
  );
};

/** Finds datastores by what the hosts of the node VMs mount. Reads vCenter only when nodes, hosts or time have moved on. */
export const createPlacer = (deps: PlacerDeps): Placer => {
  const { vcenters, nodes, clock, maxAgeMs = 60_000, datacentersOf = () => [] } = deps;
  const vmsCache = createVersionedCache<NodeVms>({ clock, maxAgeMs });
  const factsCache = createVersionedCache<PlaceFacts>({ clock, maxAgeMs });

  const nodeVms = (signal: AbortSignal): Promise<NodeVms> => {
    const { version, nodes: wanted } = nodes();
    return vmsCache.get('', version, () => findNodeVms(wanted, { vcenters, datacentersOf, signal }));
  };

  const factsOf = ({ vcenter, topology, members }: Group, signal: AbortSignal): Promise<PlaceFacts> => {
    const current = members.map(({ vm }) => vcenter.nodes.get(vm.ref) ?? vm);
    const id = `${vcenter.server}/${JSON.stringify(topology ?? {})}`;
    const hosts = current.map(({ ref, host }) => `${morefKey(ref)}@${host?.value ?? ''}`).join(' ');
    const refs = current.map(({ ref }) => ref);
    return factsCache.get(id, hosts, async () => ({
      server: vcenter.server,
      ...(topology ? { topology } : {}),
      nodes: members.map(({ node }) => node.name),
      ...(await vcenter.placement.sharedDatastores(refs, { signal })),
    }));
  };

  return {
    invalidate: () => {
      vmsCache.clear();
      factsCache.clear();
    },
    place: async ({ datastoreUrl, topologies }, { signal }) => {
      const vms = await nodeVms(signal);
      const groups = groupsOf(vcenters, vms, topologies);
      if (groups.length === 0 && vms.failures.length > 0) throw vms.failures[0];
      if (topologies.length === 0 && groups.length > 1) throw spread(groups.map(({ vcenter }) => vcenter.server));
      const places = await Promise.all(groups.map((group) => factsOf(group, signal)));
      const { place, datastores } = decidePlacement({
        ...(datastoreUrl === undefined ? {} : { datastoreUrl }),
        places,
        lostNodes: vms.lost,
      });
      const group = groups[places.indexOf(place)];
      if (!group) throw spread([place.server]);
      return { vcenter: group.vcenter, datastores, ...(group.topology ? { topology: group.topology } : {}) };
    },
  };
};
