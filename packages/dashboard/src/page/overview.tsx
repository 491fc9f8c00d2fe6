import type { ComponentChildren } from 'preact';
import type { Summary } from '../model.ts';
import type { Health } from '../rows/place-rows.ts';
import { AttentionList } from './attention.tsx';
import { CallPlots } from './call-plots.tsx';
import { EventItems } from './events-view.tsx';
import { plural, size } from './format.ts';
import { cellFor } from './map-layout.ts';
import { ClusterCard, Nowhere } from './map-parts.tsx';
import { clusterGroups } from './map-tree.ts';
import { Age, Dot, Empty, Link, Meter, Section, Some } from './parts.tsx';
import { datastoreList, eventList, nodeList, storesByNeed, volumeCounts, volumeIndex } from './relations.ts';
import { address, addressOf } from './route.ts';
import { DatastoreLine } from './storage-pages.tsx';
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

/** The number of all; with problems, how many of them have one. */
const partOf = (sick: number, all: number): string =>
  `${sick === 0 ? '' : `${sick.toLocaleString('en')} of `}${all.toLocaleString('en')}`;
const haveAProblem = (sick: number): string => (sick === 1 ? 'has a problem' : 'have a problem');

const NodesTile = ({ state, summary }: { readonly state: State; readonly summary: Summary }) => {
  const nodes = nodeList(state);
  const sick = nodes.filter(({ health }) => health === 'bad').length;
  return (
    <Tile
      title="Nodes"
      value={partOf(sick, nodes.length)}
      note={sick === 0 ? `${summary.nodes.initialized.toLocaleString('en')} initialized` : haveAProblem(sick)}
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
      value={partOf(bad, volumes)}
      note={bad > 0 ? haveAProblem(bad) : `${size(bytes)}, ${attached.toLocaleString('en')} attached`}
      href={address(['volumes'], bad > 0 ? { show: 'problems' } : {})}
      tone={bad > 0 ? 'bad' : warn > 0 ? 'warn' : ''}
    />
  );
};

const SpaceTile = ({ state }: { readonly state: State }) => {
  const datastores = datastoreList(state);
  const free = datastores.reduce((sum, one) => sum + one.free, 0);
  const capacity = datastores.reduce((sum, one) => sum + one.capacity, 0);
  const isKnown = datastores.length > 0;
  return (
    <Tile
      title="Free space"
      value={isKnown ? size(free) : '–'}
      note={isKnown ? `of ${size(capacity)} on ${plural(datastores.length, 'datastore')}` : 'not known yet'}
      href="#/storage"
      tone={worstOf(datastores)}
    />
  );
};

/** The counts that the large number does not show; zeros are left out. */
const checksNote = (checks: {
  readonly pass: number;
  readonly fail: number;
  readonly warn: number;
  readonly unknown: number;
}) => {
  const { pass, fail, warn, unknown } = checks;
  const rest = [
    fail + warn > 0 ? `${pass} passed` : '',
    fail > 0 && warn > 0 ? plural(warn, 'warning') : '',
    unknown > 0 ? `${unknown} unknown` : '',
  ].filter((part) => part !== '');
  return rest.length === 0 ? 'none failed' : rest.join(', ');
};

const ChecksTile = ({ checks }: Pick<Summary, 'checks'>) => {
  if (!checks) return <Tile title="Checks" value="–" note="not run yet" href="#/attention" />;
  const { pass, fail, warn, unknown } = checks;
  return (
    <Tile
      title="Checks"
      value={fail > 0 ? `${fail} failed` : warn > 0 ? plural(warn, 'warning') : `${pass} passed`}
      note={checksNote({ pass, fail, warn, unknown })}
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
      <SpaceTile state={state} />
      <ChecksTile checks={summary.checks} />
      {orphans > 0 ? (
        <Tile
          title="Orphaned disks"
          value={orphans.toLocaleString('en')}
          note="without a PersistentVolume"
          href={address(['volumes'], { show: 'orphans' })}
          tone="warn"
        />
      ) : (
        ''
      )}
    </div>
  );
};

interface PodsProps {
  readonly pods: { readonly desired: number; readonly ready: number } | undefined;
  readonly what: 'controller' | 'node pod';
  readonly isRollingOut: boolean;
}

/** How many pods of one kind are ready. */
const PodsReady = ({ pods, what, isRollingOut }: PodsProps) => {
  if (!pods) return null;
  const { ready, desired } = pods;
  const missing = ready === 0 ? 'bad' : isRollingOut ? 'busy' : 'warn';
  return (
    <span class="space-line">
      <Meter
        used={ready}
        total={Math.max(1, desired)}
        label={`Ready ${what}s`}
        health={ready >= desired ? 'good' : missing}
      />
      <span class="quiet">
        {ready} of {plural(desired, what)} ready
      </span>
    </span>
  );
};

const Drivers = ({ summary }: { readonly summary: Summary }) => (
  <Section title="Drivers">
    {summary.drivers.length === 0 ? <Empty>No driver is installed yet.</Empty> : ''}
    <ul class="list">
      {summary.drivers.map((driver) => (
        <li key={driver.kind}>
          <b>{driver.kind}</b> {driver.distribution ?? ''} {driver.version ?? ''}
          {driver.target ? <span class="tag">rolling out {driver.target}</span> : ''}
          {driver.available ? <span class="tag">{driver.available} is available</span> : ''}
          <PodsReady pods={driver.controllers} what="controller" isRollingOut={driver.target !== undefined} />
          <PodsReady pods={driver.nodes} what="node pod" isRollingOut={driver.target !== undefined} />
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
          <ClusterCard key={group.key} state={state} group={group} cell={cellFor(nodes.length)} heading="h3" ill={3} />
        ))}
        <Nowhere state={state} heading="h3" />
      </div>
      <p>
        <a href="#/map">
          {groups.length > shownClusters ? `All ${groups.length} clusters on the map` : 'Open the map'}
        </a>
      </p>
    </Section>
  );
};

const badWhenTrue = new Set(['Degraded', 'Stalled']);
const conditionHealth = ({ type, status }: Summary['conditions'][number], isProgressing: boolean): Health => {
  if (status === 'Unknown') return 'unknown';
  if (type === 'Progressing') return 'good';
  // During a roll-out, not Ready is expected.
  if (type === 'Ready' && status === 'False' && isProgressing) return 'warn';
  return (status === 'True') === badWhenTrue.has(type) ? 'bad' : 'good';
};

const Conditions = ({ summary: { conditions } }: { readonly summary: Summary }) => {
  const isProgressing = conditions.some(({ type, status }) => type === 'Progressing' && status === 'True');
  const judged = conditions.map((condition) => ({ ...condition, health: conditionHealth(condition, isProgressing) }));
  const isQuiet = ({ type, health }: (typeof judged)[number]): boolean => health === 'good' && type !== 'Progressing';
  return (
    <Section title="Conditions">
      <ul class="list">
        {judged
          .filter((one) => !isQuiet(one))
          .map(({ type, status, reason, message, lastTransitionTime, health }) => (
            <li key={type}>
              <Dot health={health} />
              <b>{type}</b> {status}
              <small class="quiet">
                {' '}
                <a href={address(['explain', reason])}>{reason}</a>, <Age sinceMs={Date.parse(lastTransitionTime)} />
              </small>
              <p class="quiet">{message}</p>
            </li>
          ))}
      </ul>
      <ul class="pairs">
        {judged.filter(isQuiet).map(({ type, status, reason, message, health }) => (
          <li key={type} title={message}>
            <Dot health={health} />
            <a href={address(['explain', reason])}>{type}</a> {status}
          </li>
        ))}
      </ul>
    </Section>
  );
};

const UnderWay = ({ state }: { readonly state: State }) => {
  const { underWay } = volumeIndex(state);
  return (
    <Section title="Operations in progress" count={underWay.length || undefined}>
      {underWay.length === 0 ? (
        <Empty>None.</Empty>
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
  const datastores = [...datastoreList(state)].sort(storesByNeed);
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
          <Section title="Latest events">
            <EventItems events={eventList(state).slice(0, 5)} />
            <p>
              <a href="#/time">Timeline and rates</a>
            </p>
          </Section>
        </div>
        <div class="stack">
          <Gaps summary={summary} />
          <UnderWay state={state} />
          <Section title="Datastores" count={datastores.length || undefined}>
            {datastores.length === 0 ? (
              <Empty>Not known yet.</Empty>
            ) : (
              <Some items={datastores} limit={8} more="#/storage" of={(one) => <DatastoreLine datastore={one} />} />
            )}
          </Section>
          <Drivers summary={summary} />
        </div>
        <div class="stack more">
          <CallPlots calls={summary.calls} />
          <Conditions summary={summary} />
        </div>
      </div>
    </>
  );
};
