import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { toVdoError } from '@vdo/base/vdo-error';
import type { ClusterFacts, NodeFacts } from '@vdo/checks/facts';
import { valueIn } from '@vdo/checks/facts/reading';
import type { VCenterFacts } from '@vdo/checks/facts/vcenter-facts';
import { type NodePlace, type NotedPlaces, notePlaces, readNotedPlaces } from '@vdo/dashboard/source/places-note';
import type { ConfigMapState } from '@vdo/kube/config-map-state';
import type { HostHealth } from '@vdo/vsphere/health/health-reader';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';

/** Server and compute resource → name and datacenter. Ancestors are read each hour, hosts more often. */
export type KnownClusters = ReadonlyMap<string, Pick<NodePlace, 'cluster' | 'datacenter'>>;

const clusterKey = (server: string, ref: MoRef): string => `${server} ${morefKey(ref)}`;

const datacenterAbove = (ancestors: Ancestors, start: MoRef): string | undefined => {
  let at = ancestors.get(morefKey(start));
  while (at && at.ref.type !== 'Datacenter') at = at.parent && ancestors.get(morefKey(at.parent));
  return at?.name;
};

/** The clusters found in the ancestors of a run, added to those already known. */
export const learnClusters = (known: KnownClusters, vcenters: readonly VCenterFacts[]): KnownClusters => {
  const learned = new Map(known);
  for (const { server, ancestors } of vcenters)
    for (const { ref, name } of ancestors?.values() ?? []) {
      if (ref.type !== 'ClusterComputeResource' && ref.type !== 'ComputeResource') continue;
      const datacenter = ancestors && datacenterAbove(ancestors, ref);
      learned.set(clusterKey(server, ref), {
        // A standalone host has its own compute resource, which is not a cluster.
        cluster: ref.type === 'ClusterComputeResource' ? name : '',
        ...(datacenter === undefined ? {} : { datacenter }),
      });
    }
  return learned;
};

const hostState = ({ connection, maintenance }: HostHealth): Pick<NodePlace, 'hostNote' | 'isHostDown'> => {
  if (connection === 'notResponding') return { hostNote: 'does not respond', isHostDown: true };
  if (connection === 'disconnected') return { hostNote: 'is disconnected', isHostDown: true };
  return maintenance ? { hostNote: 'is in maintenance mode' } : {};
};

const powers = { poweredOn: undefined, poweredOff: 'powered off', suspended: 'suspended' } as const;

const placeOf = ({ node, vm }: NodeFacts, vcenters: readonly VCenterFacts[], clusters: KnownClusters) => {
  const vcenter = vcenters.find(({ server }) => server === vm?.server);
  if (!vm || !vcenter) return undefined;
  const name = node.metadata.name ?? '';
  const host = vm.host && valueIn(vcenter.places)?.hosts.get(morefKey(vm.host));
  const power = powers[vm.powerState];
  return {
    node: name,
    vcenter: vcenter.spec.server,
    ...(host ? { host: host.name, ...hostState(host) } : {}),
    ...(host?.parent ? clusters.get(clusterKey(vcenter.server, host.parent)) : {}),
    ...(vm.name === name ? {} : { vm: vm.name }),
    ...(power === undefined ? {} : { power }),
  };
};

/** Where the nodes run, updated with new facts. What could not be read stays unchanged. */
export const learnPlaces = (
  known: readonly NodePlace[],
  { nodes, vcenters }: Pick<ClusterFacts, 'nodes' | 'vcenters'>,
  clusters: KnownClusters,
): readonly NodePlace[] => {
  const before = new Map(known.map((place) => [place.node, place]));
  return nodes.flatMap((facts) => {
    const last = before.get(facts.node.metadata.name ?? '');
    const now = placeOf(facts, vcenters, clusters);
    // Not every run reads hosts, and a vCenter that does not answer has no facts.
    if (now && 'host' in now) return [now];
    if (facts.resolution && facts.resolution.state !== 'found') return [];
    return last ? [last] : now ? [now] : [];
  });
};

/** The shortest time between two writes to the API server for the dashboard. */
const betweenWritesMs = 60_000;

export interface PlaceKeeper {
  see(facts: ClusterFacts): Promise<void>;
  /** Discards pending writes. */
  stop(): void;
}

/** Records where the nodes run, from the facts that the checks gather anyway. */
export const createPlaceKeeper = (options: {
  readonly store: ConfigMapState<NotedPlaces>;
  readonly clock: Clock;
  readonly logger: Logger;
}): PlaceKeeper => {
  const { store, clock, logger } = options;
  let clusters: KnownClusters = new Map();
  let known: readonly NodePlace[] | undefined;
  let written = '';
  let writtenAtMs: number | undefined;
  let cancel: (() => void) | undefined;

  const giveUp = (error: unknown): void => {
    // A failed write of the map does not stop a pass; the next run tries again.
    known = undefined;
    logger.warn('cannot record where the nodes run', { error: toVdoError(error) });
  };
  const write = async (): Promise<void> => {
    cancel = undefined;
    const next = notePlaces(known ?? []);
    const text = JSON.stringify(next);
    if (known === undefined || text === written) return;
    writtenAtMs = clock.monotonicMs();
    await store.save(next);
    written = text;
  };
  const load = async (): Promise<readonly NodePlace[]> => {
    const note = await store.load();
    written = JSON.stringify(note);
    return readNotedPlaces(note).places;
  };
  return {
    see: async (facts) => {
      if (!facts.vcenters.some(({ places }) => places !== undefined)) return;
      try {
        clusters = learnClusters(clusters, facts.vcenters);
        known = learnPlaces(known ?? (await load()), facts, clusters);
        const waitMs = writtenAtMs === undefined ? 0 : writtenAtMs + betweenWritesMs - clock.monotonicMs();
        if (waitMs <= 0) await write();
        else cancel ??= clock.schedule(() => void write().catch(giveUp), waitMs);
      } catch (error) {
        giveUp(error);
      }
    },
    stop: () => {
      cancel?.();
      cancel = undefined;
      known = undefined;
    },
  };
};
