import type { Attention } from '../rows/attention-row.ts';
import type { DatastoreRow, HostRow, NodeRow, PolicyRow } from '../rows/place-rows.ts';
import type { VolumeRow } from '../rows/volume-row.ts';
import { addressOf } from './route.ts';
import type { State } from './store.ts';

export interface Hit {
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
  readonly href: string;
  readonly health: string;
}

type Searchable = NodeRow | HostRow | VolumeRow | DatastoreRow | PolicyRow;

/** Rows are replaced when they change: the search text of each is built once. */
const texts = new WeakMap<object, string>();

const wordsOf = (row: Searchable): readonly (string | undefined)[] => {
  if ('operations' in row)
    return [
      row.name,
      row.uid,
      row.claim,
      row.claimUid,
      row.handle,
      row.path,
      row.storageClass,
      row.policy,
      row.datastore,
      ...row.pods.map(({ namespace, name }) => `${namespace}/${name}`),
      ...row.snapshots.map(({ name }) => name),
      ...row.attachments.map(({ node }) => node),
    ];
  if ('ips' in row) return [row.name, row.uid, row.uuid, row.vm, row.zone, row.region, row.host, ...row.ips];
  if ('url' in row) return [row.name, row.url, row.vcenter, row.type];
  if ('classes' in row) return [row.name, ...row.classes.map(({ name }) => name)];
  return [row.name, row.vcenter, row.cluster, row.datacenter, row.version];
};

const searchText = (row: Searchable): string => {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = wordsOf(row)
    .filter((word) => word !== undefined)
    .join('\n')
    .toLowerCase();
  texts.set(row, text);
  return text;
};

/** Builds the search text of some rows in idle time; true while any are left. */
export const prepareSearch = (rows: Iterator<Searchable>, most: number): boolean => {
  for (let count = 0; count < most; count += 1) {
    const { done, value } = rows.next();
    if (done) return false;
    searchText(value);
  }
  return true;
};

/** Every word of the query must occur. */
export const matcher = (query: string): ((row: Searchable) => boolean) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (row) => words.every((word) => searchText(row).includes(word));
};

const perKind = 25;

const volumeKinds = { volume: 'Volume', claim: 'Claim', orphan: 'Orphaned disk' } as const;

const take = <T>(rows: Iterable<T>, fits: (row: T) => boolean, hitOf: (row: T) => Hit): readonly Hit[] => {
  const hits: Hit[] = [];
  for (const row of rows) {
    if (hits.length >= perKind) break;
    if (fits(row)) hits.push(hitOf(row));
  }
  return hits;
};

const podHits = (volumes: Iterable<VolumeRow>, query: string): readonly Hit[] => {
  const hits = new Map<string, Hit>();
  for (const { pods } of volumes)
    for (const { namespace, name, node = '', phase } of pods) {
      const full = `${namespace}/${name}`;
      if (hits.size >= perKind || !full.toLowerCase().includes(query)) continue;
      hits.set(full, {
        kind: 'Pod',
        name: full,
        detail: `${phase}${node === '' ? '' : ` on ${node}`}`,
        href: addressOf.pod(namespace, name),
        health: 'good',
      });
    }
  return [...hits.values()];
};

const causeHits = (attention: readonly Attention[], query: string): readonly Hit[] =>
  attention
    .filter(({ title, message, reason, checks }) =>
      [title, message, reason, ...checks].some((text) => text.toLowerCase().includes(query)),
    )
    .map(({ key, title, message, severity }) => ({
      kind: 'Needs attention',
      name: title,
      detail: message,
      href: addressOf.cause(key),
      health: severity === 'fail' ? 'bad' : severity,
    }));

/** Everything that a name, UID, IP address, UUID or path finds. */
export const search = ({ rows, summary }: State, given: string): readonly Hit[] => {
  const query = given.trim().toLowerCase();
  if (query === '') return [];
  const fits = matcher(query);
  return [
    ...causeHits(summary?.attention ?? [], query),
    ...take(rows.nodes.values(), fits, ({ name, health, vm = '', ips }) => ({
      kind: 'Node',
      name,
      detail: [vm === name ? '' : vm, ...ips].filter(Boolean).join(', '),
      href: addressOf.node(name),
      health,
    })),
    ...take(rows.volumes.values(), fits, ({ kind, key, name, claim, health, path = '' }) => ({
      kind: volumeKinds[kind],
      name: claim ?? name,
      detail: claim === undefined ? path : name,
      href: addressOf.volume(key),
      health,
    })),
    ...podHits(rows.volumes.values(), query),
    ...take(rows.hosts.values(), fits, ({ key, name, cluster = '', health }) => ({
      kind: 'Host',
      name,
      detail: cluster,
      href: addressOf.host(key),
      health,
    })),
    ...take(rows.datastores.values(), fits, ({ key, name, type, health }) => ({
      kind: 'Datastore',
      name,
      detail: type,
      href: addressOf.datastore(key),
      health,
    })),
    ...take(rows.policies.values(), fits, ({ key, name, classes, health }) => ({
      kind: 'Storage policy',
      name,
      detail: classes.map((one) => one.name).join(', '),
      href: addressOf.policy(key),
      health,
    })),
  ];
};
