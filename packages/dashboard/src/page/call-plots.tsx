import type { CallHistory, CallSample } from '../model.ts';
import { span } from './format.ts';
import { Section } from './parts.tsx';

/** The number of bars: as many as samples are kept. */
const slots = 120;

const Plot = ({
  title,
  unit,
  calls: { samples, everyMs },
  pick,
  failedOf = () => 0,
}: {
  readonly title: string;
  readonly unit: string;
  readonly calls: CallHistory;
  readonly pick: (sample: CallSample) => number | null;
  /** The part of a bar that is drawn in red. */
  readonly failedOf?: (sample: CallSample) => number;
}) => {
  const values = samples.map(pick);
  const known = values.filter((value) => value !== null);
  const top = Math.max(1, ...known);
  const last = values.at(-1) ?? null;
  const failed = samples.reduce((sum, sample) => sum + failedOf(sample), 0);
  const now = `${last === null ? 'none' : `${last}${unit}`} now, ${Math.max(0, ...known)}${unit} at most${failed === 0 ? '' : `, ${failed} failed`}`;
  return (
    <figure>
      <figcaption>
        <b>{title}</b> {now}
      </figcaption>
      <svg viewBox={`0 0 ${slots} 100`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${now}`}>
        {values.map((value, index) => {
          if (value === null || value === 0) return null;
          const height = Math.max(1, (value / top) * 100);
          const x = slots - values.length + index + 0.1;
          return <rect key={samples[index]?.atMs} x={x} y={100 - height} width={0.8} height={height} />;
        })}
        {samples.map((sample, index) => {
          const count = failedOf(sample);
          if (count === 0) return null;
          // At least so high that it is seen.
          const height = Math.max(6, (count / top) * 100);
          const x = slots - samples.length + index + 0.1;
          return <rect key={sample.atMs} class="bad" x={x} y={100 - height} width={0.8} height={height} />;
        })}
      </svg>
      <p class="axis quiet">
        <span>{span(slots * everyMs)} ago</span>
        <span>now</span>
      </p>
    </figure>
  );
};

export const CallPlots = ({ calls }: { readonly calls: CallHistory | null }) => {
  if (!calls) return null;
  return (
    <Section title="Calls to vCenter">
      <p class="quiet">Made by {calls.of}.</p>
      {calls.problem === '' ? '' : <p class="note warn">{calls.problem}</p>}
      {calls.samples.length === 0 && calls.problem === '' ? (
        <p>The first value appears after {span(calls.everyMs)}.</p>
      ) : (
        ''
      )}
      {calls.samples.length > 0 ? (
        <>
          <Plot
            title={calls.everyMs === 60_000 ? 'Calls per minute' : `Calls in ${span(calls.everyMs)}`}
            unit=""
            calls={calls}
            pick={({ calls: made }) => made}
            failedOf={({ errors }) => errors}
          />
          <Plot title="Mean duration" unit=" ms" calls={calls} pick={({ latencyMs }) => latencyMs} />
        </>
      ) : (
        ''
      )}
    </Section>
  );
};
