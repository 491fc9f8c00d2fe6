import type { Health, HostRow, NodeRow, Row } from '../rows/place-rows.ts';
import type { FieldBox } from './map-layout.ts';
import { hostList, nodeList, nodesByHost } from './relations.ts';
import { address } from './route.ts';
import { memo } from './store.ts';

/** Hosts of one zone in a cluster. Empty name: their nodes are in no zone. */
export interface ZoneGroup {
  readonly zone: string;
  readonly boxes: readonly FieldBox<NodeRow>[];
}

export interface ClusterGroup {
  readonly key: string;
  readonly vcenter: string;
  readonly datacenter: string;
  readonly cluster: string;
  readonly zones: readonly ZoneGroup[];
  readonly hosts: number;
  readonly nodes: number;
  /** Hosts and nodes with a problem, the worst first. */
  readonly ill: readonly (Row & { readonly kind: 'host' | 'node' })[];
  readonly health: Health;
}

/** Stands for a missing name in addresses and headings. */
const named = (name: string | undefined, kind: string): string => name || `no ${kind}`;

const zonesOf = (nodes: readonly NodeRow[]): string =>
  [...new Set(nodes.map(({ zone = '' }) => zone))].sort().join(', ');

const ranks = { bad: 0, warn: 1, unknown: 2, good: 3 } as const;

const groupOf = (
  key: string,
  hosts: readonly HostRow[],
  byHost: ReadonlyMap<string, readonly NodeRow[]>,
): ClusterGroup => {
  const [first] = hosts;
  const zones = new Map<string, FieldBox<NodeRow>[]>();
  const ill: (Row & { kind: 'host' | 'node' })[] = [];
  let nodes = 0;
  for (const host of hosts) {
    const cells = byHost.get(host.key) ?? [];
    const zone = zonesOf(cells);
    zones.set(zone, [...(zones.get(zone) ?? []), { key: host.key, frame: host, cells }]);
    nodes += cells.length;
    if (ranks[host.health] < 2) ill.push({ ...host, kind: 'host' });
    for (const node of cells) if (ranks[node.health] < 2) ill.push({ ...node, kind: 'node' });
  }
  ill.sort((left, right) => ranks[left.health] - ranks[right.health]);
  return {
    key,
    vcenter: first?.vcenter ?? '',
    datacenter: named(first?.datacenter, 'datacenter'),
    cluster: named(first?.cluster, 'cluster'),
    zones: [...zones].sort(([left], [right]) => (left < right ? -1 : 1)).map(([zone, boxes]) => ({ zone, boxes })),
    hosts: hosts.length,
    nodes,
    ill,
    health: ill[0]?.health ?? 'good',
  };
};

/** Clusters with their hosts and nodes, those with a problem first. */
export const clusterGroups = memo(['nodes', 'hosts'], (state): readonly ClusterGroup[] => {
  const groups = new Map<string, HostRow[]>();
  for (const host of hostList(state)) {
    const key = [host.vcenter, named(host.datacenter, 'datacenter'), named(host.cluster, 'cluster')].join('\n');
    const group = groups.get(key);
    if (group) group.push(host);
    else groups.set(key, [host]);
  }
  const byHost = nodesByHost(state);
  return [...groups]
    .map(([key, hosts]) => groupOf(key, hosts, byHost))
    .sort((left, right) => ranks[left.health] - ranks[right.health] || (left.key < right.key ? -1 : 1));
});

/** Nodes whose host is not recorded. */
export const nodesNowhere = memo(['nodes'], (state): readonly FieldBox<NodeRow>[] => {
  const cells = nodeList(state).filter(({ host }) => host === undefined);
  return cells.length === 0 ? [] : [{ key: 'nowhere', cells }];
});

export const zoneNames = memo(['nodes'], (state): readonly string[] =>
  [...new Set(nodeList(state).flatMap(({ zone }) => (zone ? [zone] : [])))].sort(),
);

/** Addresses of the levels of the map. */
export const mapAddress = (
  place: Partial<Pick<ClusterGroup, 'vcenter' | 'datacenter' | 'cluster'>>,
  query: Readonly<Record<string, string>> = {},
): string => {
  const { vcenter, datacenter, cluster } = place;
  return address(
    ['map', ...[vcenter, datacenter, cluster].filter((part): part is string => part !== undefined)],
    query,
  );
};

/** The same for a cluster whose names may be missing. */
export const clusterAddress = (place: {
  readonly vcenter?: string | undefined;
  readonly datacenter?: string | undefined;
  readonly cluster?: string | undefined;
}): string =>
  mapAddress({
    vcenter: place.vcenter ?? '',
    datacenter: named(place.datacenter, 'datacenter'),
    cluster: named(place.cluster, 'cluster'),
  });
