import { setTimeout as sleep } from 'node:timers/promises';
import { type LoggedProcess, spawnLogged } from '../../harness/process.ts';
import { cpuSeconds, peakRssMb, rounded } from '../csi/process-cost.ts';
import type { BenchTestbed } from './bench-testbed.ts';

export interface MeasureOptions {
  /** As in `wordsOf` of the testbed. */
  readonly command: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long to watch a quiet cluster, and then one with all nodes not ready; 0 watches neither. */
  readonly quietSeconds: number;
  readonly timeoutSeconds: number;
  readonly log: (line: string) => void;
}

type Calls = Readonly<Record<string, number>>;

export interface Period {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly vcenterCalls: number;
  readonly calls: Calls;
}

export interface Measured {
  readonly nodes: number;
  readonly initialized: number;
  readonly seconds: number;
  readonly callsPerNode: number;
  readonly megabytesFromVCenter: number;
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
  readonly calls: Calls;
  readonly quiet?: Period;
  readonly notReady?: Period;
  readonly peakRssMbAfterwards?: number;
  /** After all were not ready for a while; a program that deletes one has failed. */
  readonly nodesLeft?: number;
}

const untilInitialized = async (
  testbed: BenchTestbed,
  program: LoggedProcess,
  timeoutSeconds: number,
): Promise<number> => {
  const startedMs = performance.now();
  for (;;) {
    await sleep(testbed.count > 2000 ? 1000 : 250);
    const done = await testbed.initialized();
    if (done >= testbed.count || performance.now() - startedMs > timeoutSeconds * 1000) return done;
    if (program.exitCode() !== undefined) throw new Error(`the program ended:\n${program.tail(40)}`);
  }
};

const watch = async ({ meter }: BenchTestbed, program: LoggedProcess, seconds: number): Promise<Period> => {
  meter.reset();
  const before = cpuSeconds(program);
  await sleep(seconds * 1000);
  const used = rounded(cpuSeconds(program) - before);
  return { seconds, cpuSeconds: used, vcenterCalls: meter.total(), calls: Object.fromEntries(meter.counts) };
};

/** Lets a program initialise fresh nodes, and tells what that took and what it takes from then on. */
export const measureProgram = async (testbed: BenchTestbed, options: MeasureOptions): Promise<Measured> => {
  const { log, quietSeconds } = options;
  const { meter, count } = testbed;
  log(`registering ${count} nodes`);
  await testbed.joinNodes();
  log(`starting ${options.command}`);
  meter.reset();
  const startedMs = performance.now();
  const [program = '', ...args] = testbed.wordsOf(options.command);
  const ccm = spawnLogged(program, args, { name: 'ccm', env: options.env ?? {} });
  try {
    const initialized = await untilInitialized(testbed, ccm, options.timeoutSeconds);
    const result = {
      nodes: count,
      initialized,
      seconds: rounded((performance.now() - startedMs) / 1000),
      callsPerNode: rounded(meter.total() / count),
      megabytesFromVCenter: rounded(meter.bytes() / 1e6),
      cpuSeconds: cpuSeconds(ccm),
      peakRssMb: peakRssMb(ccm),
      calls: Object.fromEntries(meter.counts),
    };
    if (quietSeconds === 0) return result;
    log(`watching ${quietSeconds} quiet seconds`);
    await sleep(5_000);
    const quiet = await watch(testbed, ccm, quietSeconds);
    log(`watching ${quietSeconds} seconds with no node ready`);
    await testbed.setReady(false);
    const notReady = await watch(testbed, ccm, quietSeconds);
    return {
      ...result,
      quiet,
      notReady,
      peakRssMbAfterwards: peakRssMb(ccm),
      nodesLeft: await testbed.nodesThere(),
    };
  } finally {
    await ccm.stop();
  }
};
