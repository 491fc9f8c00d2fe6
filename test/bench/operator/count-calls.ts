import { account, createSimTestbed, server } from '@vdo/operator/testing/sim-testbed';
import { beatOnce, modelOf, registerNodes } from './large-cluster.ts';

export interface CallCount {
  readonly nodes: number;
  /** Of simulated time, after a settling hour. */
  readonly hours: number;
  /** Calls of each hour. */
  readonly perHour: readonly number[];
  /** The most that any sixty minutes had. */
  readonly busiest: number;
  /** Method → calls of the busiest sixty minutes. */
  readonly methods: Readonly<Record<string, number>>;
  readonly logins: number;
}

const hourMs = 3_600_000;
const beatMs = 5 * 60_000;
/** So many nodes beat in the simulated hours; more would only take longer. */
const beating = 50;

/** The calls within the hour that begins with each call; the hour with most of them. */
const busiestHour = <T extends { readonly atMs: number }>(calls: readonly T[]): readonly T[] => {
  let busiest: readonly T[] = [];
  for (const [index, { atMs }] of calls.entries()) {
    const within = calls.slice(index).filter((call) => call.atMs < atMs + hourMs);
    if (within.length > busiest.length) busiest = within;
  }
  return busiest;
};

/**
 * Counts the calls to vCenter of a cluster at rest, hour by hour. The clock is driven, so that the longest period of
 * every loop goes by several times; cluster, vCenter and operator share one process.
 */
export const countCalls = async (options: {
  readonly nodes: number;
  readonly hours: number;
  readonly log: (line: string) => void;
}): Promise<CallCount> => {
  const { nodes: count, hours, log } = options;
  const testbed = await createSimTestbed({ start: false, otherVCenters: { [server]: modelOf(count) } });
  const recorder = testbed.otherVCenter(server)?.recorder;
  if (!recorder) throw new Error('the vCenter of the bench is missing');
  const pass = async (ms: number): Promise<void> => {
    for (let passedMs = 0; passedMs < ms; passedMs += beatMs) {
      for (let index = 0; index < Math.min(beating, count); index++)
        await beatOnce(testbed.kube, index, testbed.clock.now());
      await testbed.clock.advance(beatMs);
    }
  };
  try {
    log(`registering ${count} nodes`);
    await registerNodes(testbed.kube, count);
    await testbed.putSecret(account);
    await testbed.describe();
    testbed.start();
    await testbed.becomes('Ready', 'True', 'AllReady', 6_000);
    log('Ready; a settling hour');
    await pass(hourMs);
    recorder.clear();
    const startMs = testbed.clock.now();
    log(`counting for ${hours} simulated hours`);
    await pass(hours * hourMs);
    const calls = recorder.calls();
    const busiest = busiestHour(calls);
    const methods: Record<string, number> = {};
    for (const { method } of busiest) methods[method] = (methods[method] ?? 0) + 1;
    return {
      nodes: count,
      hours,
      perHour: Array.from(
        { length: hours },
        (_, hour) => calls.filter(({ atMs }) => Math.floor((atMs - startMs) / hourMs) === hour).length,
      ),
      busiest: busiest.length,
      methods,
      logins: recorder.count('Login'),
    };
  } finally {
    await testbed.stop();
  }
};
