import { useMemo } from 'preact/hooks';
import type { DatastoreRow, NodeRow } from '../rows/place-rows.ts';
import { NotFound } from './entity.tsx';
import { plural } from './format.ts';
import { cellFor } from './map-layout.ts';
import { ClusterCard, DatastoreBar, Legend, Nowhere } from './map-parts.tsx';
import { type ClusterGroup, clusterGroups, mapAddress, zoneNames } from './map-tree.ts';
import { Empty, Link, Section } from './parts.tsx';
import { datastoreList, nodesByHost, storesByNeed, volumeIndex } from './relations.ts';
import { addressOf, type Route } from './route.ts';
import type { State } from './store.ts';

type Level = Partial<Pick<ClusterGroup, 'vcenter' | 'datacenter' | 'cluster'>>;

const levelOf = ([, vcenter, datacenter, cluster]: readonly string[]): Level => ({
  ...(vcenter === undefined ? {} : { vcenter }),
  ...(datacenter === undefined ? {} : { datacenter }),
  ...(cluster === undefined ? {} : { cluster }),
});

const isWithin = (group: ClusterGroup, level: Level): boolean =>
  (level.vcenter === undefined || level.vcenter === group.vcenter) &&
  (level.datacenter === undefined || level.datacenter === group.datacenter) &&
  (level.cluster === undefined || level.cluster === group.cluster);

const Trail = ({ level }: { readonly level: Level }) => {
  const { vcenter, datacenter, cluster } = level;
  if (vcenter === undefined) return null;
  return (
    <nav class="trail" aria-label="Path">
      <Link href={mapAddress({})}>Map</Link>
      {datacenter === undefined ? '' : <Link href={mapAddress({ vcenter })}>{vcenter}</Link>}
      {datacenter === undefined || cluster === undefined ? (
        ''
      ) : (
        <Link href={mapAddress({ vcenter, datacenter })}>{datacenter}</Link>
      )}
    </nav>
  );
};

/** Dims the nodes without a disk on the datastore, or outside the zone, of the address; undefined: it names neither. */
const useFaint = (state: State, { query }: Route): ((node: NodeRow) => boolean) | undefined => {
  const [zone, datastore] = [query.get('zone'), query.get('datastore')];
  const disks = datastore === null ? undefined : (volumeIndex(state).byDatastore.get(datastore) ?? []);
  return useMemo(() => {
    if (zone === null && disks === undefined) return undefined;
    const users = disks && new Set(disks.flatMap(({ attachments }) => attachments.map(({ node }) => node)));
    return (node) => (zone !== null && node.zone !== zone) || (users !== undefined && !users.has(node.name));
  }, [zone, disks]);
};

const Zones = ({ state, level, route }: { readonly state: State; readonly level: Level; readonly route: Route }) => {
  const { cluster } = level;
  // In a cluster only its own zones.
  const zones =
    cluster === undefined
      ? zoneNames(state)
      : [
          ...new Set(
            clusterGroups(state)
              .filter((group) => isWithin(group, level))
              .flatMap((group) => group.zones.map(({ zone }) => zone)),
          ),
        ].filter((zone) => zone !== '');
  const [shown, datastore] = [route.query.get('zone'), route.query.get('datastore')];
  if (zones.length < 2 && datastore === null) return null;
  return (
    <div class="filters">
      <nav aria-label="Highlighted nodes">
        <a
          class="chip"
          href={mapAddress(level)}
          aria-current={shown === null && datastore === null ? 'page' : undefined}
        >
          All
        </a>
        {zones.slice(0, 12).map((zone) => (
          <a
            key={zone}
            class="chip"
            href={mapAddress(level, { zone })}
            aria-current={shown === zone ? 'page' : undefined}
          >
            {zone}
          </a>
        ))}
        {datastore === null ? (
          ''
        ) : (
          <a class="chip" href={mapAddress(level, { datastore })} aria-current="page">
            with a disk on {datastore.slice(datastore.indexOf('/') + 1)}
          </a>
        )}
      </nav>
    </div>
  );
};

/** Datastores that the hosts of a cluster mount; above a cluster, all of the vCenter. */
const storesOf = (state: State, groups: readonly ClusterGroup[], level: Level): readonly DatastoreRow[] => {
  const stores = datastoreList(state).filter(({ vcenter }) => level.vcenter === undefined || level.vcenter === vcenter);
  if (level.cluster === undefined) return stores;
  const hosts = new Set(
    groups.flatMap(({ zones }) => zones.flatMap(({ boxes }) => boxes.map(({ frame }) => frame?.name))),
  );
  return stores.filter((store) => store.hosts.some((host) => hosts.has(host)));
};

const shownStores = 40;

const Stores = ({ state, stores }: { readonly state: State; readonly stores: readonly DatastoreRow[] }) => (
  <Section title="Datastores" count={stores.length}>
    {stores.length === 0 ? (
      <Empty>Not known yet: the leader of the operator has not read them from vCenter.</Empty>
    ) : (
      <ul class="stores">
        {[...stores]
          .sort(storesByNeed)
          .slice(0, shownStores)
          .map((datastore) => (
            <DatastoreBar key={datastore.key} state={state} datastore={datastore} />
          ))}
      </ul>
    )}
    {stores.length > shownStores ? <a href="#/storage">All {stores.length} datastores</a> : ''}
  </Section>
);

const titleOf = ({ vcenter, datacenter, cluster }: Level): string => cluster ?? datacenter ?? vcenter ?? 'Map';

/** The map: vCenters, datacenters, clusters, hosts, nodes, and the datastores beside them. */
export const MapView = ({ state, route }: { readonly state: State; readonly route: Route }) => {
  const level = levelOf(route.path);
  const groups = clusterGroups(state).filter((group) => isWithin(group, level));
  const isFaint = useFaint(state, route);
  const nodes = groups.reduce((sum, group) => sum + group.nodes, 0);
  const hosts = groups.reduce((sum, group) => sum + group.hosts, 0);
  const isTop = level.vcenter === undefined;
  if (groups.length === 0 && !isTop) return <NotFound what={`The cluster, datacenter or vCenter ${titleOf(level)}`} />;
  return (
    <>
      <div class="head">
        <Trail level={level} />
        <h1>
          {level.cluster === undefined ? '' : <small>Cluster </small>}
          {titleOf(level)}
        </h1>
        <p class="quiet">
          {level.cluster === undefined ? `${plural(groups.length, 'cluster')}, ` : ''}
          {plural(hosts, 'host')}, {plural(nodes, 'node')}
          {level.vcenter === undefined || level.datacenter !== undefined ? (
            ''
          ) : (
            <>
              , <Link href={addressOf.vcenter(level.vcenter)}>details of this vCenter</Link>
            </>
          )}
        </p>
      </div>
      <Zones state={state} level={level} route={route} />
      <div class="map">
        <section class="clusters" aria-label="Clusters">
          {groups.map((group) => (
            <ClusterCard
              key={group.key}
              state={state}
              group={group}
              cell={cellFor(nodes, 'map')}
              {...(level.cluster === undefined ? { heading: 'h2' } : {})}
              ill={level.cluster === undefined ? 4 : 40}
              {...(isFaint ? { isFaint } : {})}
            />
          ))}
          {isTop ? <Nowhere state={state} heading="h2" /> : ''}
          {nodesByHost(state).size === 0 ? <Empty>The operator has not recorded yet where the nodes run.</Empty> : ''}
        </section>
        <Stores state={state} stores={storesOf(state, groups, level)} />
      </div>
      <Legend />
    </>
  );
};
