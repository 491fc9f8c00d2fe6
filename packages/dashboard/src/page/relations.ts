import type { TableName, Tables } from '../model.ts';
import type { DatastoreRow, EventRow, HostRow, NodeRow, PolicyRow } from '../rows/place-rows.ts';
import type { VolumeRow } from '../rows/volume-row.ts';
import { memo, type State } from './store.ts';

const push = <T>(map: Map<string, T[]>, key: string | undefined, value: T): void => {
  if (key === undefined) return;
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

/** Shared: a comparison that creates its own collator takes a hundred times as long. */
const { compare: compareNames } = new Intl.Collator('en', { numeric: true });
const byName = <T extends { readonly name: string }>(left: T, right: T): number => compareNames(left.name, right.name);

/**
 * A table in order. Sorting starts from the order before: after a change of some rows among thousands it is nearly done.
 */
const inOrder = <Name extends TableName, T extends Tables[Name][number]>(
  name: Name,
  compare: (left: T, right: T) => number,
): ((state: State) => readonly T[]) => {
  let before: readonly T[] = [];
  return memo([name], ({ rows }) => {
    const table = rows[name] as unknown as ReadonlyMap<string, T>;
    const next = before.flatMap(({ key }) => table.get(key) ?? []);
    if (next.length < table.size) {
      const known = new Set(before.map(({ key }) => key));
      for (const [key, row] of table) if (!known.has(key)) next.push(row);
    }
    before = next.sort(compare);
    return before;
  });
};

export const nodeList = inOrder<'nodes', NodeRow>('nodes', byName);
export const hostList = inOrder<'hosts', HostRow>('hosts', byName);
export const datastoreList = inOrder<'datastores', DatastoreRow>('datastores', byName);
export const policyList = inOrder<'policies', PolicyRow>('policies', byName);
export const eventList = inOrder<'events', EventRow>('events', (left, right) =>
  left.time === right.time ? 0 : left.time < right.time ? 1 : -1,
);

const ranks = { bad: 0, warn: 1, unknown: 2, good: 3 } as const;
const rankOf = ({ health, operations }: VolumeRow): number => ranks[health] * 2 - (operations.length > 0 ? 1 : 0);
const titleOf = ({ claim, name }: VolumeRow): string => claim ?? name;
/** Problems come first, then operations in progress. */
export const byNeed = (left: VolumeRow, right: VolumeRow): number =>
  // Comparing by locale is slow for tens of thousands.
  rankOf(left) - rankOf(right) || (titleOf(left) < titleOf(right) ? -1 : titleOf(left) > titleOf(right) ? 1 : 0);
/** Datastores with a problem come first, then those with the least free space. */
export const storesByNeed = (left: DatastoreRow, right: DatastoreRow): number =>
  ranks[left.health] - ranks[right.health] || left.free / left.capacity - right.free / right.capacity;
export const volumeList = inOrder<'volumes', VolumeRow>('volumes', byNeed);

/** Lists are not sorted: a view sorts the part that it shows. */
export interface VolumeIndex {
  readonly byNode: ReadonlyMap<string, readonly VolumeRow[]>;
  readonly byDatastore: ReadonlyMap<string, readonly VolumeRow[]>;
  readonly byPolicy: ReadonlyMap<string, readonly VolumeRow[]>;
  readonly byClaim: ReadonlyMap<string, VolumeRow>;
  readonly byPod: ReadonlyMap<string, readonly VolumeRow[]>;
  /** By their data source, such as `PersistentVolumeClaim shop/data`. */
  readonly byOrigin: ReadonlyMap<string, readonly VolumeRow[]>;
  /** By the snapshots of them, `namespace/name`. */
  readonly bySnapshot: ReadonlyMap<string, VolumeRow>;
  readonly underWay: readonly VolumeRow[];
}

export const volumeIndex = memo(['volumes'], (state): VolumeIndex => {
  const byNode = new Map<string, VolumeRow[]>();
  const byDatastore = new Map<string, VolumeRow[]>();
  const byPolicy = new Map<string, VolumeRow[]>();
  const byPod = new Map<string, VolumeRow[]>();
  const byOrigin = new Map<string, VolumeRow[]>();
  const byClaim = new Map<string, VolumeRow>();
  const bySnapshot = new Map<string, VolumeRow>();
  const underWay: VolumeRow[] = [];
  for (const row of state.rows.volumes.values()) {
    for (const { node } of row.attachments) push(byNode, node, row);
    push(byDatastore, row.datastore, row);
    if (row.storageClass !== undefined) push(byPolicy, row.policy ?? 'none', row);
    if (row.claim !== undefined) byClaim.set(row.claim, row);
    for (const { namespace, name } of row.pods) push(byPod, `${namespace}/${name}`, row);
    push(byOrigin, row.origin, row);
    for (const { name } of row.snapshots) bySnapshot.set(name, row);
    if (row.operations.length > 0) underWay.push(row);
  }
  return { byNode, byDatastore, byPolicy, byClaim, byPod, byOrigin, bySnapshot, underWay: underWay.sort(byNeed) };
});

export const nodesByHost = memo(['nodes'], (state): ReadonlyMap<string, readonly NodeRow[]> => {
  const found = new Map<string, NodeRow[]>();
  for (const node of nodeList(state))
    if (node.host !== undefined) push(found, `${node.vcenter ?? ''}/${node.host}`, node);
  return found;
});

/** The numbers of volumes for the tiles. */
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
