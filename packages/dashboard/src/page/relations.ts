import type { DatastoreRow, EventRow, HostRow, NodeRow, PolicyRow } from '../rows/place-rows.ts';
import type { VolumeRow } from '../rows/volume-row.ts';
import { memo, type State } from './store.ts';

const push = <T>(map: Map<string, T[]>, key: string | undefined, value: T): void => {
  if (key === undefined) return;
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

const byName = <T extends { readonly name: string }>(left: T, right: T): number =>
  left.name.localeCompare(right.name, 'en', { numeric: true });

export const nodeList = memo(['nodes'], ({ rows }): readonly NodeRow[] => [...rows.nodes.values()].sort(byName));
export const hostList = memo(['hosts'], ({ rows }): readonly HostRow[] => [...rows.hosts.values()].sort(byName));
export const datastoreList = memo(['datastores'], ({ rows }): readonly DatastoreRow[] =>
  [...rows.datastores.values()].sort(byName),
);
export const policyList = memo(['policies'], ({ rows }): readonly PolicyRow[] =>
  [...rows.policies.values()].sort(byName),
);
export const eventList = memo(['events'], ({ rows }): readonly EventRow[] =>
  [...rows.events.values()].sort((left, right) => right.time.localeCompare(left.time)),
);

const ranks = { bad: 0, warn: 1, unknown: 2, good: 3 } as const;
/** What has a problem or is under way comes first. */
export const volumeList = memo(['volumes'], ({ rows }): readonly VolumeRow[] => {
  const rank = ({ health, operations }: VolumeRow): number => ranks[health] * 2 - (operations.length > 0 ? 1 : 0);
  const nameOf = ({ claim, name }: VolumeRow): string => claim ?? name;
  // Comparing by locale is slow for tens of thousands.
  return [...rows.volumes.values()].sort(
    (left, right) => rank(left) - rank(right) || (nameOf(left) < nameOf(right) ? -1 : 1),
  );
});

export interface VolumeIndex {
  readonly byNode: ReadonlyMap<string, readonly VolumeRow[]>;
  readonly byDatastore: ReadonlyMap<string, readonly VolumeRow[]>;
  readonly byPolicy: ReadonlyMap<string, readonly VolumeRow[]>;
  readonly byClaim: ReadonlyMap<string, VolumeRow>;
  readonly byPod: ReadonlyMap<string, readonly VolumeRow[]>;
  readonly underWay: readonly VolumeRow[];
}

export const volumeIndex = memo(['volumes'], (state): VolumeIndex => {
  const [byNode, byDatastore, byPolicy, byPod] = [0, 1, 2, 3].map(() => new Map<string, VolumeRow[]>()) as [
    Map<string, VolumeRow[]>,
    Map<string, VolumeRow[]>,
    Map<string, VolumeRow[]>,
    Map<string, VolumeRow[]>,
  ];
  const byClaim = new Map<string, VolumeRow>();
  const underWay: VolumeRow[] = [];
  for (const row of volumeList(state)) {
    for (const { node } of row.attachments) push(byNode, node, row);
    push(byDatastore, row.datastore, row);
    if (row.storageClass !== undefined) push(byPolicy, row.policy ?? 'none', row);
    if (row.claim !== undefined) byClaim.set(row.claim, row);
    for (const { namespace, name } of row.pods) push(byPod, `${namespace}/${name}`, row);
    if (row.operations.length > 0) underWay.push(row);
  }
  return { byNode, byDatastore, byPolicy, byClaim, byPod, underWay };
});

export const nodesByHost = memo(['nodes'], (state): ReadonlyMap<string, readonly NodeRow[]> => {
  const found = new Map<string, NodeRow[]>();
  for (const node of nodeList(state))
    if (node.host !== undefined) push(found, `${node.vcenter ?? ''}/${node.host}`, node);
  return found;
});

export interface ClusterGroup {
  readonly key: string;
  readonly vcenter: string;
  readonly datacenter: string;
  readonly cluster: string;
  readonly hosts: readonly HostRow[];
}

/** Hosts by their cluster, for the map. */
export const clusters = memo(['hosts'], (state): readonly ClusterGroup[] => {
  const groups = new Map<string, HostRow[]>();
  for (const host of hostList(state))
    push(groups, `${host.vcenter}\n${host.datacenter ?? ''}\n${host.cluster ?? ''}`, host);
  return [...groups].map(([key, hosts]) => {
    const [vcenter = '', datacenter = '', cluster = ''] = key.split('\n');
    return { key, vcenter, datacenter, cluster: cluster === '' ? 'no cluster' : cluster, hosts };
  });
});

/** Volumes with a problem, and those that are under way: counted for the headline numbers. */
export const volumeCounts = memo(['volumes'], ({ rows }) => {
  const counts = { volumes: 0, waiting: 0, orphans: 0, bad: 0, warn: 0, attached: 0, bytes: 0 };
  for (const { kind, health, attachments, size } of rows.volumes.values()) {
    if (kind === 'volume') {
      counts.volumes += 1;
      counts.bytes += size;
    } else if (kind === 'claim') counts.waiting += 1;
    else counts.orphans += 1;
    if (health === 'bad') counts.bad += 1;
    if (health === 'warn' && kind !== 'orphan') counts.warn += 1;
    if (attachments.length > 0) counts.attached += 1;
  }
  return counts;
});

export const eventsAbout = (state: State, objects: readonly string[]): readonly EventRow[] => {
  const wanted = new Set(objects);
  return eventList(state).filter(({ object: { kind, namespace, name } }) =>
    wanted.has(`${kind} ${namespace ? `${namespace}/` : ''}${name}`),
  );
};
