import { clockTime, span } from './format.ts';
import { Age, Dot, Empty, Link, ObjectLink, Section } from './parts.tsx';
import { address } from './route.ts';
import type { State } from './store.ts';
import { beforeMs, brokeAtMs, changesBefore, type Line } from './time-facts.ts';

/** What happened, as a list. */
export const Lines = ({ list, sinceMs }: { readonly list: readonly Line[]; readonly sinceMs?: number }) => (
  <ol class="moments">
    {list.map((line) => (
      <li key={line.key} class={line.health}>
        {sinceMs === undefined ? (
          <time dateTime={new Date(line.atMs).toISOString()} title={new Date(line.atMs).toLocaleString('en-GB')}>
            {clockTime(line.atMs)}
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
          {line.object ? <ObjectLink object={line.object} /> : ''}
          {line.ms === undefined ? '' : ` after ${span(line.ms)}`}
          {(line.count ?? 1) > 1 ? ` (${line.count} times)` : ''}
          {line.message === '' ? '' : <span class="message">{line.message}</span>}
        </p>
      </li>
    ))}
  </ol>
);

const shownChanges = 8;

/** The question everybody asks first. Nothing is drawn while nothing is wrong. */
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
            ? `Not known: this server has been watching since ${clockTime(watched)}.`
            : `Nothing was noted in the ${span(beforeMs)} before.`}
        </Empty>
      ) : (
        <Lines list={changes.slice(0, shownChanges)} sinceMs={brokeMs} />
      )}
      <p>
        <Link href={address(['time'], { at: `${Math.round(brokeMs)}` })}>Everything around that time</Link>
      </p>
    </Section>
  );
};
