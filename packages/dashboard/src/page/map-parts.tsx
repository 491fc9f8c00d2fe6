import type { DatastoreRow, HostRow, NodeRow, Row } from '../rows/place-rows.ts';
import { plural, size } from './format.ts';
import { Field } from './map-field.tsx';
import { type ClusterGroup, mapAddress, nodesNowhere } from './map-tree.ts';
import { Dot, Link } from './parts.tsx';
import { nodesByHost, volumeIndex } from './relations.ts';
import { addressOf } from './route.ts';
import type { State } from './store.ts';

const isHost = (row: Row): row is HostRow => 'vcenter' in row && !('ips' in row);

const placeAddress = (row: Row): string => (isHost(row) ? addressOf.host(row.key) : addressOf.node(row.key));

const loadOfNode = ({ slots }: NodeRow): number | undefined => slots && slots.used / Math.max(1, slots.total);

const nodeLines = (state: State, { note, vm, name, host, zone, slots, key }: NodeRow): readonly string[] => [
  note || 'Ready',
  vm !== undefined && vm !== name ? `VM ${vm}` : '',
  [host === undefined ? '' : `on ${host}`, zone ?? ''].filter(Boolean).join(', '),
  [
    plural(volumeIndex(state).byNode.get(key)?.length ?? 0, 'volume'),
    slots ? `${slots.used} of ${slots.total} disk slots used` : '',
  ]
    .filter(Boolean)
    .join(', '),
];

const hostLines = (state: State, { key, note, version, cluster }: HostRow): readonly string[] => [
  note,
  plural(nodesByHost(state).get(key)?.length ?? 0, 'node'),
  [cluster ?? '', version ? `ESXi ${version}` : ''].filter(Boolean).join(', '),
];

const placeLines =
  (state: State) =>
  (row: Row): readonly string[] =>
    (isHost(row) ? hostLines(state, row) : nodeLines(state, row as NodeRow)).filter((line) => line !== '');

/** Links to what has a problem: a small square is hard to hit. */
const Ill = ({ group, limit }: { readonly group: ClusterGroup; readonly limit: number }) =>
  group.ill.length === 0 ? null : (
    <ul class="ill">
      {group.ill.slice(0, limit).map((row) => (
        <li key={`${row.kind} ${row.key}`}>
          <Dot health={row.health} />
          <Link href={placeAddress(row)}>{row.name}</Link> <span class="quiet">{row.note}</span>
        </li>
      ))}
      {group.ill.length > limit ? (
        <li>
          <Link href={mapAddress(group)}>and {group.ill.length - limit} more</Link>
        </li>
      ) : (
        ''
      )}
    </ul>
  );

export interface ClusterCardProps {
  readonly state: State;
  readonly group: ClusterGroup;
  readonly cell: number;
  /** Absent on the page of the cluster, whose own heading says the same. */
  readonly heading?: 'h2' | 'h3';
  readonly isFaint?: (node: NodeRow) => boolean;
  /** Problems that are listed below the drawing. */
  readonly ill: number;
}

/** One cluster: its hosts with their nodes, by zone. */
export const ClusterCard = ({ state, group, cell, heading: Heading, isFaint, ill }: ClusterCardProps) => {
  const { cluster, datacenter, vcenter, zones } = group;
  const lines = placeLines(state);
  return (
    <article class={`cluster ${group.health}`} aria-label={`Cluster ${cluster}`}>
      {Heading ? (
        <header>
          <Heading>
            <Link href={mapAddress(group)}>{cluster}</Link>
          </Heading>
          <span class="quiet">
            {datacenter}
            {(state.summary?.vcenters.length ?? 0) > 1 ? `, ${vcenter}` : ''}
          </span>
          <span class="count">
            {plural(group.hosts, 'host')}, {plural(group.nodes, 'node')}
          </span>
        </header>
      ) : (
        ''
      )}
      {zones.map(({ zone, boxes }) => (
        <div key={zone} class="zone">
          <p class="quiet">
            {zone === '' ? 'no zone' : zone}
            {zones.length > 1 ? <small> {plural(boxes.length, 'host')}</small> : ''}
          </p>
          <Field
            boxes={boxes}
            cell={cell}
            label={`Hosts and nodes of ${cluster}${zone === '' ? '' : `, ${zone}`}`}
            hrefOf={placeAddress}
            linesOf={lines}
            loadOf={loadOfNode}
            {...(isFaint ? { isFaint } : {})}
          />
        </div>
      ))}
      <Ill group={group} limit={ill} />
    </article>
  );
};

/** Nodes whose host is not recorded. */
export const Nowhere = ({ state, heading: Heading }: { readonly state: State; readonly heading: 'h2' | 'h3' }) => {
  const boxes = nodesNowhere(state);
  const [box] = boxes;
  if (!box) return null;
  return (
    <article class="cluster unknown">
      <header>
        <Heading>Nodes on unknown hosts</Heading>
        <span class="count">{plural(box.cells.length, 'node')}</span>
      </header>
      <Field boxes={boxes} cell={16} label="Nodes on unknown hosts" hrefOf={placeAddress} linesOf={placeLines(state)} />
    </article>
  );
};

/** The meaning of the shapes. */
export const Legend = () => (
  <p class="legend quiet">
    <span>
      <i class="key host" /> host
    </span>
    <span>
      <i class="key" /> node, filled to the share of disk slots in use
    </span>
    <span>
      <i class="key bad" /> problem
    </span>
    <span>
      <i class="key warn" /> warning
    </span>
    <span>
      <i class="key unknown" /> unknown
    </span>
    <span>
      <i class="key provisioned" /> space provisioned to volumes
    </span>
  </p>
);

interface StoreProps {
  readonly state: State;
  readonly datastore: DatastoreRow;
}

/** The space of a datastore as a bar: used, free, and provisioned to volumes. */
export const DatastoreSpace = ({ state, datastore }: StoreProps) => {
  const { key, capacity, free, health } = datastore;
  const disks = volumeIndex(state).byDatastore.get(key) ?? [];
  const provisioned = disks.reduce((sum, disk) => sum + disk.size, 0);
  const ill = disks.filter((disk) => disk.health === 'bad').length;
  const part = (bytes: number): number => (capacity > 0 ? Math.min(1, Math.max(0, bytes / capacity)) : 0);
  const used = part(capacity - free);
  const text = `${Math.round(used * 100)} % used, ${size(provisioned)} provisioned to volumes`;
  return (
    <div class={`store ${health}`}>
      <span class="bar-of" role="img" aria-label={text} title={text}>
        <span class="used" style={{ width: `${used * 100}%` }} />
        <span class="provisioned" style={{ left: `${part(provisioned) * 100}%` }} />
      </span>
      <p class="quiet">
        {size(free)} free of {size(capacity)} ·{' '}
        <Link href={mapAddress({}, { datastore: key })}>{plural(disks.length, 'disk')}</Link>
        {`, ${size(provisioned)} provisioned`}
        {ill === 0 ? '' : <span class="note-text">, {plural(ill, 'disk')} with a problem</span>}
      </p>
    </div>
  );
};

/** A datastore by name, with its space. */
export const DatastoreBar = ({ state, datastore }: StoreProps) => {
  const { key, name, health, note } = datastore;
  return (
    <li>
      <p class={`named ${health}`}>
        <Dot health={health} />
        <Link href={addressOf.datastore(key)}>{name}</Link>
        {note === '' ? '' : <span class="note-text count">{note}</span>}
      </p>
      <DatastoreSpace state={state} datastore={datastore} />
    </li>
  );
};
