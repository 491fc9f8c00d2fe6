import type { Clock } from '@vdo/base/clock';
import type { Metrics } from '@vdo/base/metrics';
import type { CallSample } from '../model.ts';

interface Totals {
  readonly calls: number;
  readonly seconds: number;
}

const sumOf = (exposed: string, name: string): number =>
  exposed
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

const totalsOf = (exposed: string): Totals => ({
  calls: sumOf(exposed, 'vdo_vcenter_calls_total'),
  seconds: sumOf(exposed, 'vdo_vcenter_call_duration_seconds_sum'),
});

/** What happened between two readings. */
export const sampleBetween = (before: Totals, after: Totals, atMs: number): CallSample => {
  const calls = Math.max(0, after.calls - before.calls);
  const seconds = Math.max(0, after.seconds - before.seconds);
  return { atMs, calls, latencyMs: calls === 0 ? null : Math.round((seconds / calls) * 10_000) / 10 };
};

/** Keeps the calls to vCenter of the last minutes, from the process's own metrics. */
export const createCallSampler = (options: {
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly everyMs?: number;
  readonly keep?: number;
}) => {
  const { metrics, clock, everyMs = 5_000, keep = 120 } = options;
  let samples: readonly CallSample[] = [];
  let before: Totals = { calls: 0, seconds: 0 };
  const look = async (): Promise<void> => {
    const after = totalsOf((await metrics.expose()).body);
    samples = [...samples, sampleBetween(before, after, clock.now())].slice(-keep);
    before = after;
  };
  return {
    samples: () => samples,
    everyMs,
    look,
  };
};
