import type { SampleRow } from '../rows/time-rows.ts';

/** What is counted of one thing in an interval. */
export interface Done {
  readonly count: number;
  readonly errors: number;
  /** Milliseconds that all of it took. */
  readonly ms: number;
}

type Kind = 'call' | 'operation';
type Counts = { -readonly [Name in keyof Omit<SampleRow, 'key' | 'atMs' | 'everyMs'>]: number };

const minute = 60_000;
/** Minutes for two hours, then ten minutes for a day: 264 rows at most, whatever happens. */
const steps = [
  { everyMs: minute, keptMs: 120 * minute },
  { everyMs: 10 * minute, keptMs: 24 * 60 * minute },
] as const;

const noCounts = (): Counts => ({
  calls: 0,
  callErrors: 0,
  callMs: 0,
  operations: 0,
  operationErrors: 0,
  operationMs: 0,
});

const addTo = (counts: Counts, kind: Kind, { count, errors, ms }: Done): void => {
  if (kind === 'call') {
    counts.calls += count;
    counts.callErrors += errors;
    counts.callMs += ms;
  } else {
    counts.operations += count;
    counts.operationErrors += errors;
    counts.operationMs += ms;
  }
};

/** Counts of the last day in rings, coarser the older they are. */
export const createHistory = () => {
  const rings = steps.map((step) => ({ ...step, buckets: new Map<number, Counts>() }));
  return {
    add: (kind: Kind, atMs: number, done: Done): void => {
      for (const { everyMs, keptMs, buckets } of rings) {
        const start = Math.floor(atMs / everyMs) * everyMs;
        const counts = buckets.get(start) ?? noCounts();
        buckets.set(start, counts);
        addTo(counts, kind, done);
        for (const old of buckets.keys()) if (old < atMs - keptMs) buckets.delete(old);
      }
    },
    /** Oldest first, each moment once. */
    rows: (nowMs: number): readonly SampleRow[] => {
      const [fine, coarse] = rings;
      const from = Math.ceil((nowMs - (fine?.keptMs ?? 0)) / (coarse?.everyMs ?? 1)) * (coarse?.everyMs ?? 1);
      return rings
        .flatMap(({ everyMs, keptMs, buckets }, ring) =>
          [...buckets]
            .filter(([start]) => start >= nowMs - keptMs && (ring === 0 ? start >= from : start < from))
            .map(([atMs, counts]) => ({ key: `${everyMs}/${atMs}`, atMs, everyMs, ...rounded(counts) })),
        )
        .sort((left, right) => left.atMs - right.atMs);
    },
  };
};

const rounded = (counts: Counts): Counts => ({
  ...counts,
  callMs: Math.round(counts.callMs),
  operationMs: Math.round(counts.operationMs),
});
