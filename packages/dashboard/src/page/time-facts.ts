import type { Attention } from '../rows/attention-row.ts';
import type { EventRow } from '../rows/place-rows.ts';
import type { MomentRow, SampleRow } from '../rows/time-rows.ts';
import { eventList } from './relations.ts';
import { memo, type State } from './store.ts';

/** A line of the timeline: something that the server saw, or an event of Kubernetes. */
export interface Line extends Omit<MomentRow, 'kind'> {
  readonly kind: MomentRow['kind'] | 'event';
  readonly count?: number;
}

const releaseWords = /upgrad|rolled|roll-?out|install|release/i;

const lineOfEvent = ({ key, time, type, reason, object, message, count }: EventRow): Line => ({
  key: `event/${key}`,
  atMs: Date.parse(time) || 0,
  kind: type === 'Normal' && releaseWords.test(reason) ? 'release' : 'event',
  health: type === 'Warning' ? 'warn' : 'good',
  title: reason,
  message,
  object,
  count,
});

/** Everything that is known to have happened, newest first. */
export const lines = memo(['moments', 'events'], (state): readonly Line[] =>
  [...state.rows.moments.values(), ...eventList(state).map(lineOfEvent)].sort((left, right) => right.atMs - left.atMs),
);

const minute = 60_000;
const finePartMs = 120 * minute;

/** The counts of a time, without gaps while the server was watching; nothing of the time before. */
export const samplesBetween = (state: State, fromMs: number, toMs: number): readonly SampleRow[] => {
  const { samples } = state.rows;
  const fineFrom = Math.ceil((toMs - finePartMs) / (10 * minute)) * 10 * minute;
  const start = Math.max(fromMs, state.summary?.watchedSinceMs ?? fromMs);
  const found: SampleRow[] = [];
  const step = (at: number): number => (at < fineFrom ? 10 * minute : minute);
  let at = Math.floor(start / step(start)) * step(start);
  while (at <= toMs) {
    const everyMs = step(at);
    const key = `${everyMs}/${at}`;
    found.push(
      samples.get(key) ?? {
        key,
        atMs: at,
        everyMs,
        calls: 0,
        callErrors: 0,
        callMs: 0,
        operations: 0,
        operationErrors: 0,
        operationMs: 0,
      },
    );
    at += everyMs;
  }
  return found;
};

const isAbout = (cause: Attention, line: Line): boolean =>
  cause.checks.includes(line.title) ||
  (cause.reason !== '' && cause.reason === line.title) ||
  cause.objects.some(({ kind, name }) => kind === line.object?.kind && name === line.object?.name);

const badWhenTrue = new Set(['Degraded', 'Stalled']);

/** Since when the worst cause is there; undefined if nobody knows, or nothing is wrong. */
export const brokeAtMs = (state: State): number | undefined => {
  const { summary } = state;
  const [worst] = summary?.attention ?? [];
  if (!summary || !worst || worst.severity === 'unknown') return undefined;
  const seen = lines(state).find((line) => line.kind === 'fault' && isAbout(worst, line));
  const conditions = summary.conditions
    .filter(
      ({ type, status }) =>
        status !== 'Unknown' && type !== 'Progressing' && (status === 'True') === badWhenTrue.has(type),
    )
    .map(({ lastTransitionTime }) => Date.parse(lastTransitionTime));
  return worst.sinceMs ?? seen?.atMs ?? (conditions.length > 0 ? Math.max(...conditions) : undefined);
};

/** So long before a fault its cause is looked for. */
export const beforeMs = 15 * minute;

/** What happened shortly before the worst cause appeared, newest first. */
export const changesBefore = (state: State, brokeMs: number): readonly Line[] => {
  const [worst] = state.summary?.attention ?? [];
  return lines(state).filter(
    (line) =>
      line.atMs >= brokeMs - beforeMs &&
      line.atMs <= brokeMs + 5_000 &&
      !(line.kind === 'operation' && line.health === 'good') &&
      !(worst && (line.kind === 'fault' || line.kind === 'event') && isAbout(worst, line)) &&
      !line.key.startsWith('condition/'),
  );
};
