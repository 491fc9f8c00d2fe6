import type { Clock } from '@vdo/base/clock';
import { toVdoError } from '@vdo/base/vdo-error';
import type { CallHistory, CallSample } from '../model.ts';

interface Totals {
  readonly calls: number;
  readonly errors: number;
  readonly seconds: number;
}

/** Reads the metrics of the programs that call vCenters. */
export interface CallMeter {
  /** Whose calls, as shown on the page. */
  readonly of: string;
  readonly everyMs: number;
  /** Name of each process → its metrics, in the text format. */
  read(signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
}

/** The long poll for changes: its duration does not show how fast a vCenter is. */
const longPoll = 'method="WaitForUpdatesEx"';

/** Metrics without a result count as successful. */
const isError = (line: string): boolean => line.includes('result="') && !line.includes('result="ok"');

const sumOf = (exposed: string, name: string, isWanted: (line: string) => boolean = () => true): number =>
  exposed
    .split('\n')
    .filter((line) => !line.includes(longPoll) && isWanted(line))
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

const totalsOf = (exposed: string): Totals => ({
  calls: sumOf(exposed, 'vdo_vcenter_calls_total'),
  errors: sumOf(exposed, 'vdo_vcenter_calls_total', isError),
  seconds: sumOf(exposed, 'vdo_vcenter_call_duration_seconds_sum'),
});

/** What the processes of both readings did between them; nothing of one that restarted. */
const sampleBetween = (
  before: ReadonlyMap<string, Totals>,
  after: ReadonlyMap<string, Totals>,
  atMs: number,
): CallSample => {
  let [calls, errors, seconds] = [0, 0, 0];
  for (const [process, now] of after) {
    const then = before.get(process);
    if (!then || now.calls < then.calls) continue;
    calls += now.calls - then.calls;
    errors += Math.max(0, now.errors - then.errors);
    seconds += Math.max(0, now.seconds - then.seconds);
  }
  return { atMs, calls, errors, latencyMs: calls === 0 ? null : Math.round((seconds / calls) * 10_000) / 10 };
};

const kept = 120;

/** Keeps the calls to vCenter of the last readings. */
export const createCallSampler = (
  meter: CallMeter,
  clock: Pick<Clock, 'now'>,
  onSample: (sample: CallSample) => void = () => undefined,
) => {
  const { of, everyMs } = meter;
  let samples: readonly CallSample[] = [];
  // What was called before the first reading was not called now.
  let before: ReadonlyMap<string, Totals> | undefined;
  let problem = '';
  return {
    history: (): CallHistory => ({ of, everyMs, samples, problem }),
    observe: async (signal: AbortSignal): Promise<void> => {
      try {
        const read = await meter.read(signal);
        const after = new Map([...read].map(([process, exposed]) => [process, totalsOf(exposed)]));
        const sample = before && sampleBetween(before, after, clock.now());
        if (sample) {
          samples = [...samples, sample].slice(-kept);
          onSample(sample);
        }
        before = after;
        problem = '';
      } catch (error) {
        if (signal.aborted) return;
        const { message, remedy } = toVdoError(error);
        problem = `${message}. ${remedy}`;
      }
    },
  };
};
