import type { Attention } from '../rows/attention-row.ts';
import type { EventRow } from '../rows/place-rows.ts';
import type { MomentRow, SampleRow } from '../rows/time-rows.ts';
import { eventList } from './relations.ts';
import { memo, type State } from './store.ts';

/** A line of the timeline: something that the server observed, or an event of Kubernetes. */
export interface Line extends Omit<MomentRow, 'kind'> {
  readonly kind: MomentRow['kind'] | 'event';
  readonly count?: number;
  /** How many of the same kind this line stands for, and since when. */
  readonly more?: number;
  readonly fromMs?: number;
}

/** Consecutive successful operations are one line, so that the unusual is visible. */
export const withRuns = (list: readonly Line[]): readonly Line[] => {
  const runs: Line[] = [];
  for (const line of list) {
    const last = runs.at(-1);
    const isSame = last?.kind === 'operation' && last.health === 'good' && last.title === line.title;
    if (isSame && line.health === 'good')
      runs[runs.length - 1] = { ...last, more: (last.more ?? 0) + 1, fromMs: line.atMs };
    else runs.push(line);
  }
  return runs;
};

/** All operations of one kind and result in a period. */
export interface Effort {
  readonly title: string;
  readonly health: Line['health'];
  readonly count: number;
  readonly meanMs: number;
  readonly slowest: Line;
}

/** The kinds of operations, the one with the longest total time first. */
export const effortsOf = (list: readonly Line[]): readonly Effort[] => {
  const kinds = new Map<string, Line[]>();
  for (const line of list) {
    if (line.kind !== 'operation' || line.ms === undefined) continue;
    const known = kinds.get(line.title);
    if (known) known.push(line);
    else kinds.set(line.title, [line]);
  }
  const total = (lines: readonly Line[]): number => lines.reduce((sum, { ms = 0 }) => sum + ms, 0);
  return [...kinds]
    .sort(([, left], [, right]) => total(right) - total(left))
    .flatMap(([title, found]) => {
      const [slowest] = [...found].sort((left, right) => (right.ms ?? 0) - (left.ms ?? 0));
      if (!slowest) return [];
      return [{ title, health: slowest.health, count: found.length, meanMs: total(found) / found.length, slowest }];
    });
};

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

/** All events and observations, newest first. */
export const lines = memo(['moments', 'events'], (state): readonly Line[] =>
  [...state.rows.moments.values(), ...eventList(state).map(lineOfEvent)].sort((left, right) => right.atMs - left.atMs),
);

/** What happened to one object, by the names that events and operations have for it. */
export const linesAbout = (state: State, objects: readonly string[]): readonly Line[] => {
  const wanted = new Set(objects);
  return lines(state).filter(
    ({ object }) =>
      object && wanted.has(`${object.kind} ${object.namespace ? `${object.namespace}/` : ''}${object.name}`),
  );
};

const minute = 60_000;
const finePartMs = 120 * minute;

/** A period without counts is a gap in the chart. */
export type Sample = SampleRow | (Pick<SampleRow, 'atMs' | 'everyMs'> & { readonly isUnknown: true });
export const isCounted = (sample: Sample): sample is SampleRow => !('isUnknown' in sample);

/** The counts of a period, as far as this server or Prometheus has them. */
export const samplesBetween = (state: State, fromMs: number, toMs: number): readonly Sample[] =>
  state.summary?.ratesOf ? readSamples(state, fromMs, toMs) : ownSamples(state, fromMs, toMs);

const readSamples = (state: State, fromMs: number, toMs: number): readonly Sample[] => {
  const found = [...state.rows.samples.values()]
    .filter(({ atMs, everyMs }) => atMs + everyMs > fromMs && atMs <= toMs)
    .sort((left, right) => left.atMs - right.atMs);
  return found.flatMap((sample, index): readonly Sample[] => {
    const { atMs, everyMs } = sample;
    const next = found[index + 1];
    return next && next.atMs > atMs + everyMs ? [sample, { atMs: atMs + everyMs, everyMs, isUnknown: true }] : [sample];
  });
};

/** Without gaps since the server started to record; nothing before. */
const ownSamples = (state: State, fromMs: number, toMs: number): readonly SampleRow[] => {
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

/** Since when the worst cause exists; undefined if that is not known, or nothing is wrong. */
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

/** The period before a fault that is searched for changes. */
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
