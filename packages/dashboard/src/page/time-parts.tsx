import type { ObjectRef } from '../rows/attention-row.ts';
import { clockTime, momentTime, span } from './format.ts';
import { Age, Dot, Empty, Link, ObjectLink, Section, serverNow } from './parts.tsx';
import { address } from './route.ts';
import type { State } from './store.ts';
import { Table } from './table.tsx';
import { beforeMs, brokeAtMs, changesBefore, effortsOf, type Line } from './time-facts.ts';

/** A volume is shown under the name of its claim. */
const knownAs = (state: State, object: ObjectRef): ObjectRef => {
  const { claim } = (object.kind === 'PersistentVolume' && state.rows.volumes.get(`volume/${object.name}`)) || {};
  if (claim === undefined) return object;
  const at = claim.indexOf('/');
  return { kind: 'PersistentVolumeClaim', namespace: claim.slice(0, at), name: claim.slice(at + 1) };
};

const lasted = (ms: number): string => (ms < 10_000 ? `${Math.round(ms / 100) / 10} s` : span(ms));

/** Events and observations as a list. */
export const Lines = ({
  state,
  list,
  sinceMs,
}: {
  readonly state: State;
  readonly list: readonly Line[];
  readonly sinceMs?: number;
}) => (
  <ol class="moments">
    {list.map((line) => (
      <li key={line.key} class={line.health}>
        {sinceMs === undefined ? (
          <time dateTime={new Date(line.atMs).toISOString()} title={new Date(line.atMs).toLocaleString('en-GB')}>
            {momentTime(line.atMs, serverNow())}
          </time>
        ) : (
          <time dateTime={new Date(line.atMs).toISOString()}>{span(Math.max(0, sinceMs - line.atMs))} before</time>
        )}
        <Dot health={line.health} />
        <p>
          {line.kind === 'event' ? (
            <Link href={`#/explain/${encodeURIComponent(line.title)}`}>{line.title}</Link>
          ) : (
            <b>{line.title}</b>
          )}{' '}
          {line.object ? <ObjectLink object={knownAs(state, line.object)} /> : ''}
          {line.ms === undefined ? '' : <span class="quiet"> in {lasted(line.ms)}</span>}
          {line.more === undefined ? (
            ''
          ) : (
            <span class="quiet">
              {' '}
              and {line.more} more since {clockTime(line.fromMs ?? 0)}
            </span>
          )}
          {(line.count ?? 1) > 1 ? ` (${line.count} times)` : ''}
          {line.message === '' ? '' : <span class="message">{line.message}</span>}
        </p>
      </li>
    ))}
  </ol>
);

/** How long each kind of operation took, and which one took longest. */
export const WhereTimeGoes = ({ state, list }: { readonly state: State; readonly list: readonly Line[] }) => {
  const efforts = effortsOf(list);
  if (efforts.length === 0) return null;
  return (
    <Section title="Where time goes" wide>
      <p class="quiet">The last 300 operations on volumes, from request to completion or failure.</p>
      <Table
        label="Where time goes"
        rows={efforts.map((effort) => ({ ...effort, key: effort.title }))}
        columns={[
          {
            title: 'Operation',
            of: ({ title, health }) => (
              <span class="named">
                <Dot health={health} />
                <span>{title}</span>
              </span>
            ),
          },
          { title: 'Count', of: ({ count }) => count.toLocaleString('en'), number: true },
          { title: 'Mean', of: ({ meanMs }) => lasted(meanMs), number: true, minor: true },
          { title: 'Longest', of: ({ slowest }) => lasted(slowest.ms ?? 0), number: true },
          {
            title: 'Object of the longest',
            of: ({ slowest: { object } }) => (object ? <ObjectLink object={knownAs(state, object)} /> : ''),
            minor: true,
          },
        ]}
      />
    </Section>
  );
};

const shownChanges = 8;

/** What changed shortly before the fault. Draws nothing while nothing is wrong. */
export const BeforeItBroke = ({ state }: { readonly state: State }) => {
  const brokeMs = brokeAtMs(state);
  if (brokeMs === undefined) return null;
  const changes = changesBefore(state, brokeMs);
  const [worst] = state.summary?.attention ?? [];
  const watched = state.summary?.watchedSinceMs ?? 0;
  return (
    <Section title="What changed just before it broke" count={changes.length || undefined}>
      <p class="quiet">
        {worst?.title}, since {clockTime(brokeMs)} (<Age sinceMs={brokeMs} suffix=" ago" />)
      </p>
      {changes.length === 0 ? (
        <Empty>
          {watched > brokeMs - beforeMs
            ? `Not known: this server has recorded changes only since ${clockTime(watched)}.`
            : `No change was recorded in the ${span(beforeMs)} before.`}
        </Empty>
      ) : (
        <Lines list={changes.slice(0, shownChanges)} sinceMs={brokeMs} state={state} />
      )}
      <p>
        <Link href={address(['time'], { at: `${Math.round(brokeMs)}` })}>Show everything around that time</Link>
      </p>
    </Section>
  );
};
