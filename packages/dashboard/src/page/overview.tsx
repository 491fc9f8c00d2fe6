import type { ComponentChildren } from 'preact';
import type { Summary } from '../model.ts';
import { AttentionList } from './attention.tsx';
import { CallPlots } from './call-plots.tsx';
import { EventItems } from './events-view.tsx';
import { plural, size } from './format.ts';
import { cellFor } from './map-layout.ts';
import { ClusterCard, Nowhere } from './map-parts.tsx';
import { clusterGroups } from './map-tree.ts';
import { Age, Dot, Empty, Link, Meter, Section, Some } from './parts.tsx';
import { datastoreList, eventList, nodeList, volumeCounts, volumeIndex } from './relations.ts';
import { address, addressOf } from './route.ts';
import { Room } from './storage-pages.tsx';
import type { State } from './store.ts';
import { BeforeItBroke } from './time-parts.tsx';
import { OperationLine } from './volume-parts.tsx';

const Tile = ({
  title,
  value,
  note,
  href,
  tone = '',
}: {
  readonly title: string;
  readonly value: ComponentChildren;
  readonly note: ComponentChildren;
  readonly href: string;
  readonly tone?: string;
}) => (
  <a class={`tile ${tone}`} href={href}>
    <span class="title">{title}</span>
    <span class="value">{value}</span>
    <span class="quiet">{note}</span>
  </a>
);

const worstOf = (rows: readonly { readonly health: string }[]): string => {
  if (rows.some(({ health }) => health === 'bad')) return 'bad';
  return rows.some(({ health }) => health === 'warn') ? 'warn' : '';
};

const NodesTile = ({ state, summary }: { readonly state: State; readonly summary: Summary }) => {
  const nodes = nodeList(state);
  const sick = nodes.filter(({ health }) => health === 'bad').length;
  return (
    <Tile
      title="Nodes"
      value={
        sick === 0
          ? nodes.length.toLocaleString('en')
          : `${sick.toLocaleString('en')} of ${nodes.length.toLocaleString('en')}`
      }
      note={
        sick === 0
          ? `${summary.nodes.initialized.toLocaleString('en')} initialized`
          : sick === 1
            ? 'has a problem'
            : 'have a problem'
      }
      href={address(['nodes'], sick === 0 ? {} : { show: 'problems' })}
      tone={sick === 0 ? '' : 'bad'}
    />
  );
};

const VolumesTile = ({ state }: { readonly state: State }) => {
  const { volumes, bad, warn, bytes, attached } = volumeCounts(state);
  return (
    <Tile
      title="Volumes"
      value={volumes.toLocaleString('en')}
      note={bad > 0 ? plural(bad, 'problem') : `${size(bytes)}, ${attached.toLocaleString('en')} attached`}
      href={address(['volumes'], bad > 0 ? { show: 'problems' } : {})}
      tone={bad > 0 ? 'bad' : warn > 0 ? 'warn' : ''}
    />
  );
};

const RoomTile = ({ state }: { readonly state: State }) => {
  const datastores = datastoreList(state);
  const free = datastores.reduce((sum, one) => sum + one.free, 0);
  const capacity = datastores.reduce((sum, one) => sum + one.capacity, 0);
  const isKnown = datastores.length > 0;
  return (
    <Tile
      title="Room"
      value={isKnown ? size(free) : '–'}
      note={isKnown ? `free of ${size(capacity)} on ${plural(datastores.length, 'datastore')}` : 'not known yet'}
      href="#/storage"
      tone={worstOf(datastores)}
    />
  );
};

const ChecksTile = ({ checks }: Pick<Summary, 'checks'>) => {
  if (!checks) return <Tile title="Checks" value="–" note="not run yet" href="#/attention" />;
  const { pass, fail, warn, unknown } = checks;
  return (
    <Tile
      title="Checks"
      value={fail > 0 ? `${fail} failed` : warn > 0 ? plural(warn, 'warning') : `${pass} passed`}
      note={`${pass} passed, ${fail} failed, ${warn} warn, ${unknown} unknown`}
      href="#/attention"
      tone={fail > 0 ? 'bad' : warn > 0 ? 'warn' : ''}
    />
  );
};

const Tiles = ({ state, summary }: { readonly state: State; readonly summary: Summary }) => {
  const { orphans } = volumeCounts(state);
  return (
    <div class="tiles">
      <NodesTile state={state} summary={summary} />
      <VolumesTile state={state} />
      <RoomTile state={state} />
      <ChecksTile checks={summary.checks} />
      {orphans > 0 ? (
        <Tile
          title="Orphaned disks"
          value={orphans.toLocaleString('en')}
          note="no PersistentVolume has them"
          href={address(['volumes'], { show: 'orphans' })}
          tone="warn"
        />
      ) : (
        ''
      )}
    </div>
  );
};

const driverState = ({ target, controllers, nodes }: Summary['drivers'][number]) => {
  const parts = [controllers, nodes].filter((part) => part !== undefined);
  const ready = parts.reduce((sum, part) => sum + part.ready, 0);
  const desired = parts.reduce((sum, part) => sum + part.desired, 0);
  const isDone = ready === desired && !target;
  return (
    <span class="room">
      <Meter used={ready} total={Math.max(1, desired)} label="Pods ready" health={isDone ? 'good' : 'warn'} />
      <span class="quiet">
        {target ? `rolling out ${target}, ` : ''}
        {ready} of {desired} pods ready
      </span>
    </span>
  );
};

const Drivers = ({ summary }: { readonly summary: Summary }) => (
  <Section title="Drivers">
    {summary.drivers.length === 0 ? <Empty>None yet.</Empty> : ''}
    <ul class="list">
      {summary.drivers.map((driver) => (
        <li key={driver.kind}>
          <b>{driver.kind}</b> {driver.distribution ?? ''} {driver.version ?? ''}
          {driver.available ? <span class="tag">{driver.available} is available</span> : ''}
          {driverState(driver)}
        </li>
      ))}
    </ul>
    <p class="quiet">
      Kubernetes {summary.versions.kubernetes ?? 'unknown'}
      {(summary.versions.vcenters ?? []).map(({ server, version }) => (
        <span key={server}>
          {' · '}
          <Link href={addressOf.vcenter(server)}>{server}</Link> {version ?? ''}
        </span>
      ))}
    </p>
  </Section>
);

/** Clusters on the overview; the others are on the map. */
const shownClusters = 12;

const Places = ({ state }: { readonly state: State }) => {
  const groups = clusterGroups(state);
  const nodes = nodeList(state);
  return (
    <Section title="Where the nodes run">
      {nodes.length === 0 ? <Empty>No node yet.</Empty> : ''}
      <div class="clusters">
        {groups.slice(0, shownClusters).map((group) => (
          <ClusterCard
            key={group.key}
            state={state}
            group={group}
            cell={Math.min(16, cellFor(nodes.length))}
            heading="h3"
            ill={3}
          />
        ))}
        <Nowhere state={state} heading="h3" />
      </div>
      <p>
        <a href="#/map">
          {groups.length > shownClusters ? `All ${groups.length} clusters on the map` : 'The whole map'}
        </a>
      </p>
    </Section>
  );
};

const badWhenTrue = new Set(['Degraded', 'Stalled', 'Progressing']);
const conditionHealth = ({ type, status }: Summary['conditions'][number]) => {
  if (status === 'Unknown') return 'unknown';
  return (status === 'True') === badWhenTrue.has(type) ? 'bad' : 'good';
};

const Conditions = ({ summary }: { readonly summary: Summary }) => (
  <Section title="Conditions">
    <ul class="list">
      {summary.conditions.map((condition) => (
        <li key={condition.type}>
          <Dot health={conditionHealth(condition)} />
          <b>{condition.type}</b> {condition.status}
          <small class="quiet">
            {' '}
            {condition.reason}, <Age sinceMs={Date.parse(condition.lastTransitionTime)} />
          </small>
          {conditionHealth(condition) === 'good' ? '' : <p class="quiet">{condition.message}</p>}
        </li>
      ))}
    </ul>
  </Section>
);

const UnderWay = ({ state }: { readonly state: State }) => {
  const { underWay } = volumeIndex(state);
  return (
    <Section title="Under way" count={underWay.length}>
      {underWay.length === 0 ? (
        <Empty>No operation on a volume.</Empty>
      ) : (
        <Some
          items={underWay}
          limit={6}
          more={address(['volumes'], { show: 'busy' })}
          of={(row) => (
            <>
              <Link href={addressOf.volume(row.key)}>{row.claim ?? row.name}</Link>
              {row.operations.slice(0, 1).map((operation) => (
                <OperationLine key={operation.what} operation={operation} />
              ))}
            </>
          )}
        />
      )}
    </Section>
  );
};

const Gaps = ({ summary }: { readonly summary: Summary }) =>
  summary.gaps.length === 0 ? null : (
    <Section title="What this page cannot know right now" count={summary.gaps.length}>
      <ul class="list">
        {summary.gaps.map(({ what, why }) => (
          <li key={what}>
            <b>{what}</b> <span class="quiet">{why}</span>
          </li>
        ))}
      </ul>
    </Section>
  );

export const Overview = ({ state, summary }: { readonly state: State; readonly summary: Summary }) => {
  const { attention } = summary;
  const datastores = [...datastoreList(state)].sort(
    (left, right) => left.free / left.capacity - right.free / right.capacity,
  );
  return (
    <>
      <Tiles state={state} summary={summary} />
      <div class="overview">
        <div class="stack main">
          <Section title="What needs attention" count={attention.length || undefined}>
            <AttentionList attention={attention} limit={6} />
          </Section>
          <BeforeItBroke state={state} />
          <Places state={state} />
        </div>
        <div class="stack">
          <Gaps summary={summary} />
          <UnderWay state={state} />
          <Section title="Datastores" count={datastores.length}>
            {datastores.length === 0 ? (
              <Empty>Not known yet.</Empty>
            ) : (
              <Some items={datastores} limit={8} more="#/storage" of={(one) => <Room datastore={one} />} />
            )}
          </Section>
          <Drivers summary={summary} />
        </div>
        <div class="stack">
          <Section title="Latest events">
            <EventItems events={eventList(state).slice(0, 8)} />
            <p>
              <a href="#/time">Everything that happened, and rates of the last day</a>
            </p>
          </Section>
          <Conditions summary={summary} />
          <CallPlots calls={summary.calls} />
        </div>
      </div>
    </>
  );
};
