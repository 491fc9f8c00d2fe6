import type { SampleRow } from '../rows/time-rows.ts';
import { Chart } from './chart.tsx';
import { axisTime, clockTime, dayTime, plural } from './format.ts';
import { Empty, Section } from './parts.tsx';
import { address, type Route } from './route.ts';
import type { State } from './store.ts';
import { isCounted, type Line, lines, samplesBetween, withRuns } from './time-facts.ts';
import { BeforeItBroke, Lines, WhereTimeGoes } from './time-parts.tsx';

const minute = 60_000;
/** A week needs Prometheus. */
const ranges = { '1h': 60 * minute, '6h': 360 * minute, '24h': 1_440 * minute, '7d': 10_080 * minute } as const;
type RangeName = keyof typeof ranges;
const isRange = (text: string | null): text is RangeName => text !== null && text in ranges;

const lanes = [
  ['Faults', (line: Line) => line.kind === 'fault' || line.kind === 'over'],
  ['Releases and changes', (line: Line) => line.kind === 'release' || line.kind === 'change'],
  ['Operations', (line: Line) => line.kind === 'operation'],
  ['Events', (line: Line) => line.kind === 'event'],
] as const;
/** Marks closer together than one part of the width are one mark. */
const marksPerLane = 60;
const ranks = { bad: 0, warn: 1, unknown: 2, good: 3 } as const;

interface Mark {
  readonly at: number;
  readonly list: readonly Line[];
}

const marksOf = (list: readonly Line[], fromMs: number, toMs: number): readonly Mark[] => {
  const marks = new Map<number, Line[]>();
  for (const line of list) {
    const at = Math.floor(((line.atMs - fromMs) / (toMs - fromMs)) * marksPerLane);
    const mark = marks.get(at);
    if (mark) mark.push(line);
    else marks.set(at, [line]);
  }
  return [...marks].map(([at, found]) => ({ at, list: found })).sort((left, right) => left.at - right.at);
};

const Lanes = ({
  list,
  range,
  fromMs,
  toMs,
}: {
  readonly list: readonly Line[];
  readonly range: RangeName;
  readonly fromMs: number;
  readonly toMs: number;
}) => (
  <Section title="Timeline" wide>
    <dl class="lanes">
      {lanes.map(([title, fits]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            {marksOf(list.filter(fits), fromMs, toMs).map(({ at, list: found }) => {
              const [worst] = [...found].sort((left, right) => ranks[left.health] - ranks[right.health]);
              const text = `${axisTime(worst?.atMs ?? 0, toMs - fromMs)} ${worst?.title ?? ''}${found.length > 1 ? ` and ${found.length - 1} more` : ''}`;
              return (
                <a
                  key={at}
                  class={`mark ${worst?.health ?? 'good'}`}
                  href={address(['time'], { range, at: `${Math.round(worst?.atMs ?? 0)}` })}
                  title={text}
                  style={{ left: `${((at + 0.5) / marksPerLane) * 100}%` }}
                >
                  <span class="hidden">{text}</span>
                </a>
              );
            })}
          </dd>
        </div>
      ))}
    </dl>
    <p class="axis quiet">
      <span>{dayTime(fromMs)}</span>
      <span>{dayTime(toMs)}</span>
    </p>
  </Section>
);

const perMinute = (value: number): string => `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10}`;
const duration = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`);

const rateText = (samples: readonly SampleRow[], pick: (sample: SampleRow) => readonly [number, number]): string => {
  const total = samples.reduce((sum, sample) => sum + pick(sample)[0], 0);
  const failed = samples.reduce((sum, sample) => sum + pick(sample)[1], 0);
  const rounded = [total, failed].map((count) => Math.round(count).toLocaleString('en'));
  return `${rounded[0]} in total, ${rounded[1] === '0' ? 'none' : rounded[1]} failed`;
};

const meanText = (samples: readonly SampleRow[], pick: (sample: SampleRow) => readonly [number, number]): string => {
  const count = samples.reduce((sum, sample) => sum + pick(sample)[0], 0);
  const ms = samples.reduce((sum, sample) => sum + pick(sample)[1], 0);
  return count === 0 ? 'none' : `${duration(ms / count)} on average`;
};

const Charts = ({ state, fromMs, toMs }: { readonly state: State; readonly fromMs: number; readonly toMs: number }) => {
  const samples = samplesBetween(state, fromMs, toMs);
  const times = samples.map(({ atMs }) => atMs / 1_000);
  const counted = samples.filter(isCounted);
  const rate = (of: (sample: SampleRow) => number) =>
    samples.map((one) => (isCounted(one) ? (of(one) / one.everyMs) * minute : null));
  const mean = (of: (sample: SampleRow) => readonly [number, number]) =>
    samples.map((one) => {
      const [count, ms] = isCounted(one) ? of(one) : [0, 0];
      return count === 0 ? null : ms / count;
    });
  const shared = { times, fromMs, toMs };
  const { calls, ratesOf = '' } = state.summary ?? {};
  const countedBy =
    ratesOf === ''
      ? calls
        ? `Made by ${calls.of}.`
        : 'Not counted: this server has no source of call metrics.'
      : `From ${ratesOf}.`;
  return (
    <div class="charts">
      <Section title="Operations on volumes">
        <p class="quiet">
          {ratesOf === '' ? 'From request to completion.' : `Only the part of the storage controller, from ${ratesOf}.`}
        </p>
        <Chart
          {...shared}
          title="Per minute"
          text={rateText(counted, ({ operations, operationErrors }) => [operations, operationErrors])}
          values={rate(({ operations }) => operations)}
          errors={rate(({ operationErrors }) => operationErrors)}
          format={perMinute}
        />
        <Chart
          {...shared}
          title="Mean duration"
          text={meanText(counted, ({ operations, operationMs }) => [operations, operationMs])}
          values={mean(({ operations, operationMs }) => [operations, operationMs])}
          format={duration}
        />
      </Section>
      <Section title="Calls to vCenter">
        <p class="quiet">{countedBy}</p>
        {calls && calls.problem !== '' && ratesOf === '' ? <p class="note warn">{calls.problem}</p> : ''}
        <Chart
          {...shared}
          title="Per minute"
          text={rateText(counted, (sample) => [sample.calls, sample.callErrors])}
          values={rate((sample) => sample.calls)}
          errors={rate(({ callErrors }) => callErrors)}
          format={perMinute}
        />
        <Chart
          {...shared}
          title="Mean duration"
          text={meanText(counted, (sample) => [sample.calls, sample.callMs])}
          values={mean((sample) => [sample.calls, sample.callMs])}
          format={duration}
        />
      </Section>
    </div>
  );
};

const shownLines = 100;
const aroundMs = 10 * minute;

/** The last day: rates, durations and errors, and everything that happened. */
export const TimeView = ({ state, route }: { readonly state: State; readonly route: Route }) => {
  const asked = route.query.get('range');
  const range = isRange(asked) ? asked : '6h';
  // Rounded to minutes, so that a chart is not drawn again at each message.
  const toMs = Math.ceil(state.asOfMs / minute) * minute;
  const fromMs = toMs - ranges[range];
  const at = Number(route.query.get('at') ?? Number.NaN);
  const all = lines(state).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const list = Number.isNaN(at) ? all : lines(state).filter(({ atMs }) => Math.abs(atMs - at) <= aroundMs);
  const runs = withRuns(list);
  const { watchedSinceMs = toMs, ratesOf = '' } = state.summary ?? {};
  const offered = (Object.keys(ranges) as RangeName[]).filter((name) => name !== '7d' || ratesOf !== '');
  return (
    <>
      <div class="head">
        <h1>Time</h1>
        {watchedSinceMs > fromMs ? (
          <p class="quiet">
            This server has recorded since {clockTime(watchedSinceMs)}. Before that, only Kubernetes events are known
            {ratesOf === '' ? '.' : `, and the rates from ${ratesOf}.`}
          </p>
        ) : (
          ''
        )}
      </div>
      <div class="filters">
        <nav aria-label="Period">
          {offered.map((name) => (
            <a
              key={name}
              class="chip"
              href={address(['time'], { range: name })}
              aria-current={name === range ? 'page' : undefined}
            >
              {name.replace(/\D/, ' $&')}
            </a>
          ))}
        </nav>
      </div>
      <BeforeItBroke state={state} />
      <Lanes list={all} range={range} fromMs={fromMs} toMs={toMs} />
      <Charts state={state} fromMs={fromMs} toMs={toMs} />
      <WhereTimeGoes state={state} list={all} />
      <Section
        title={Number.isNaN(at) ? 'What happened' : `What happened around ${clockTime(at)}`}
        count={list.length}
        wide
      >
        {runs.length === 0 ? (
          <Empty>Nothing was recorded.</Empty>
        ) : (
          <Lines list={runs.slice(0, shownLines)} state={state} />
        )}
        {runs.length > shownLines ? <p class="quiet">and {plural(runs.length - shownLines, 'more', 'more')}</p> : ''}
        <p>
          {Number.isNaN(at) ? '' : <a href={address(['time'], { range })}>Show the whole period</a>}{' '}
          <a href="#/events">All Kubernetes events</a>
        </p>
      </Section>
    </>
  );
};
