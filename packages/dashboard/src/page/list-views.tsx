import type { DatastoreRow, NodeRow } from '../rows/place-rows.ts';
import { AttentionList, Cause, Severity } from './attention.tsx';
import { NotFound } from './entity.tsx';
import { Explained } from './explain.tsx';
import { plural, size } from './format.ts';
import { clusterAddress, mapAddress } from './map-tree.ts';
import { Dot, Empty, Link, Meter, Section } from './parts.tsx';
import { datastoreList, nodeList, policyList, storesByNeed, volumeIndex } from './relations.ts';
import { address, addressOf, type Route } from './route.ts';
import { matcher, search } from './search.ts';
import type { State } from './store.ts';
import { type Column, Table } from './table.tsx';
import { datastoreName } from './volume-parts.tsx';

interface ViewProps {
  readonly state: State;
  readonly route: Route;
}

const nodeColumns = (state: State): readonly Column<NodeRow>[] => [
  {
    title: 'Node',
    of: ({ name, health }) => (
      <span class="named">
        <Dot health={health} />
        <Link href={addressOf.node(name)}>{name}</Link>
      </span>
    ),
  },
  { title: 'State', of: ({ note }) => note || 'Ready' },
  {
    title: 'Host',
    of: ({ host, vcenter }) =>
      host === undefined ? '–' : <Link href={addressOf.host(`${vcenter}/${host}`)}>{host}</Link>,
    minor: true,
  },
  {
    title: 'Cluster',
    of: (node) => (node.vcenter === undefined ? '–' : <Link href={clusterAddress(node)}>{node.cluster}</Link>),
    minor: true,
  },
  {
    title: 'Zone',
    of: ({ zone }) => (zone === undefined ? '' : <Link href={mapAddress({}, { zone })}>{zone}</Link>),
    minor: true,
  },
  { title: 'Address', of: ({ ips }) => ips[0] ?? '', minor: true },
  { title: 'Volumes', of: ({ name }) => volumeIndex(state).byNode.get(name)?.length ?? 0, number: true },
  {
    title: 'Disk slots',
    of: ({ slots }) =>
      slots ? (
        <span class="measured">
          <Meter used={slots.used} total={slots.total} label={`${slots.used} of ${slots.total} disk slots used`} />
          <span class="quiet">
            {slots.used} of {slots.total}
          </span>
        </span>
      ) : (
        ''
      ),
    minor: true,
  },
];

export const NodesView = ({ state, route }: ViewProps) => {
  const query = route.query.get('q') ?? '';
  const show = route.query.get('show') === 'problems' ? 'problems' : 'all';
  const fits = matcher(query);
  const all = nodeList(state);
  const sick = all.filter(({ health }) => health === 'bad' || health === 'warn');
  const rows = (show === 'problems' ? sick : all).filter(fits);
  return (
    <>
      <div class="head">
        <h1>Nodes</h1>
      </div>
      <div class="filters">
        <nav aria-label="Which nodes">
          <a class="chip" href={address(['nodes'], { q: query })} aria-current={show === 'all' ? 'page' : undefined}>
            All <small>{all.length.toLocaleString('en')}</small>
          </a>
          <a
            class="chip"
            href={address(['nodes'], { show: 'problems', q: query })}
            aria-current={show === 'problems' ? 'page' : undefined}
          >
            Problems <small>{sick.length.toLocaleString('en')}</small>
          </a>
        </nav>
        <label>
          <span class="hidden">Filter the nodes</span>
          <input
            type="search"
            placeholder="Filter by name, address, host…"
            value={query}
            onInput={({ currentTarget }) =>
              location.replace(address(['nodes'], { show: show === 'all' ? '' : show, q: currentTarget.value }))
            }
          />
        </label>
        <p class="quiet" role="status">
          {plural(rows.length, 'row')}
        </p>
      </div>
      {rows.length === 0 ? (
        <Empty>No node matches this filter.</Empty>
      ) : (
        <Table rows={rows} columns={nodeColumns(state)} label="Nodes" />
      )}
    </>
  );
};

const vcenterColumn: Column<DatastoreRow> = {
  title: 'vCenter',
  of: ({ vcenter }) => <Link href={addressOf.vcenter(vcenter)}>{vcenter}</Link>,
  minor: true,
};

const shownLinks = 3;

const StoreLinks = ({ keys }: { readonly keys: readonly string[] }) => (
  <>
    {keys.slice(0, shownLinks).map((key) => (
      <span key={key} class="item">
        <Link href={addressOf.datastore(key)}>{datastoreName(key)}</Link>{' '}
      </span>
    ))}
    {keys.length > shownLinks ? ` and ${keys.length - shownLinks} more` : ''}
  </>
);

export const StorageView = ({ state }: ViewProps) => {
  const index = volumeIndex(state);
  return (
    <>
      <div class="head">
        <h1>Storage</h1>
      </div>
      <Section title="Datastores" count={datastoreList(state).length} wide>
        {datastoreList(state).length === 0 ? (
          <Empty>Not known yet: the leader of the operator has not read them from vCenter.</Empty>
        ) : (
          <Table
            label="Datastores"
            rows={[...datastoreList(state)].sort(storesByNeed)}
            columns={[
              {
                title: 'Datastore',
                of: ({ key, name, health }) => (
                  <span class="named">
                    <Dot health={health} />
                    <Link href={addressOf.datastore(key)}>{name}</Link>
                  </span>
                ),
              },
              { title: 'State', of: ({ note }) => note || 'OK', broad: true },
              {
                title: 'Used',
                of: ({ name, capacity, free, health }) => (
                  <span class="measured">
                    <Meter used={capacity - free} total={capacity} label={`${name}, space used`} health={health} />
                    <span class="quiet">{Math.round((1 - free / Math.max(1, capacity)) * 100)} %</span>
                  </span>
                ),
                minor: true,
              },
              { title: 'Free', of: ({ free }) => size(free), number: true },
              { title: 'Capacity', of: ({ capacity }) => size(capacity), number: true, minor: true },
              { title: 'Disks', of: ({ key }) => index.byDatastore.get(key)?.length ?? 0, number: true, minor: true },
              { title: 'Type', of: ({ type }) => type, minor: true },
              // With one vCenter, all rows would have the same value.
              ...((state.summary?.vcenters.length ?? 0) > 1 ? [vcenterColumn] : []),
            ]}
          />
        )}
      </Section>
      <Section title="Storage policies" count={policyList(state).length} wide>
        {policyList(state).length === 0 ? (
          <Empty>No StorageClass uses the storage driver.</Empty>
        ) : (
          <Table
            label="Storage policies"
            rows={policyList(state)}
            columns={[
              {
                title: 'Policy',
                of: ({ key, name, health }) => (
                  <span class="named">
                    <Dot health={health} />
                    <Link href={addressOf.policy(key)}>{name}</Link>
                  </span>
                ),
              },
              { title: 'StorageClasses', of: ({ classes }) => classes.map(({ name }) => name).join(', ') },
              { title: 'Volumes', of: ({ key }) => index.byPolicy.get(key)?.length ?? 0, number: true },
              { title: 'Datastores', of: ({ datastores }) => <StoreLinks keys={datastores ?? []} />, minor: true },
            ]}
          />
        )}
      </Section>
    </>
  );
};

export const AttentionView = ({ state }: ViewProps) => (
  <>
    <div class="head">
      <h1>What needs attention</h1>
    </div>
    <AttentionList attention={state.summary?.attention ?? []} limit={200} heading="h2" />
  </>
);

export const CauseView = ({ state, route }: ViewProps) => {
  const cause = state.summary?.attention.find(({ key }) => key === route.path[1]);
  if (!cause)
    return (
      <div class="head">
        <h1>Resolved</h1>
        <p>
          This problem is resolved. <a href="#/">Back to the overview</a>
        </p>
      </div>
    );
  return (
    <>
      <div class="head">
        <p class="trail">
          <a href="#/attention">What needs attention</a>
        </p>
        <h1>
          <Severity severity={cause.severity} /> {cause.title}
        </h1>
      </div>
      <Cause cause={cause} objects={50} heading="none" />
      {cause.reason === '' ? '' : <Explained word={cause.reason} />}
    </>
  );
};

/** A check, or a word of an event: what it means, and what it reports now. */
export const CheckView = ({ state, route }: ViewProps) => {
  const id = route.path.slice(1).join('/');
  const causes = (state.summary?.attention ?? []).filter(({ checks, reason }) => checks.includes(id) || reason === id);
  return (
    <>
      <div class="head">
        <h1>
          <small>{route.path[0] === 'check' ? 'Check' : 'Explain'}</small> {id}
        </h1>
      </div>
      <div class="grid">
        <Explained word={id} />
        <Section title="Now" count={causes.length} wide>
          {causes.length === 0 ? (
            <Empty>It reports no problem now, or it has not run.</Empty>
          ) : (
            <AttentionList attention={causes} limit={20} />
          )}
        </Section>
      </div>
    </>
  );
};

export const SearchView = ({ state, route }: ViewProps) => {
  const query = route.path[1] ?? '';
  const hits = search(state, query);
  const kinds = [...new Set(hits.map(({ kind }) => kind))];
  if (query.trim() === '') return <NotFound what="Nothing" />;
  return (
    <>
      <div class="head">
        <h1>
          <small>Search</small> {query}
        </h1>
        <p class="quiet" role="status">
          {plural(hits.length, 'result')}
        </p>
      </div>
      <div class="grid">
        {hits.length === 0 ? <Empty>No name, UID, IP address, UUID or path contains this text.</Empty> : ''}
        {kinds.map((kind) => (
          <Section key={kind} title={kind} count={hits.filter((hit) => hit.kind === kind).length}>
            <ul class="list">
              {hits
                .filter((hit) => hit.kind === kind)
                .map((hit) => (
                  <li key={hit.href}>
                    <Dot health={hit.health as 'good'} />
                    <Link href={hit.href}>{hit.name}</Link> <span class="quiet">{hit.detail}</span>
                  </li>
                ))}
            </ul>
          </Section>
        ))}
      </div>
    </>
  );
};
