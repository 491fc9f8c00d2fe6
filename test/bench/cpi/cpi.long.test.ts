import { fileURLToPath } from 'node:url';
import { smallRuntime } from '@vdo/releases/render/shared/node-runtime';
import { afterEach, expect, test } from 'vitest';
import { rounded } from '../csi/process-cost.ts';
import { type BenchTestbed, openBenchTestbed } from './bench-testbed.ts';
import { type Measured, measureProgram, type Period } from './measure-program.ts';
import { type BenchVCenter, openSim, openVcsim } from './vcenters.ts';

// npm run bench:cpi                        1,000 nodes on vcsim and 10,000 on vsphere-sim, 5 ms round trip, zones
// BENCH_NODES=200 BENCH_MANY=500 BENCH_QUIET=0 npm run bench:cpi     fewer nodes, no quiet time afterwards
// BENCH_CCM="/path/ccm --cloud-config={conf} --kubeconfig={kubeconfig}" npm run bench:cpi    another program beside ours
const {
  BENCH_CCM,
  BENCH_NODES = '1000',
  BENCH_MANY = '10000',
  BENCH_LATENCY_MS = '5',
  BENCH_QUIET = '60',
} = process.env;
const few = Number(BENCH_NODES);
const many = Number(BENCH_MANY);

// As the manifest starts it.
const bundle = fileURLToPath(new URL('../../../apps/cpi/dist/main.js', import.meta.url));
const words = [
  process.execPath,
  ...smallRuntime.flags,
  bundle,
  '--cloud-config {conf} --kubeconfig {kubeconfig} --secure-port 0',
];
const ours = { command: words.join(' '), env: smallRuntime.env };

const log = (line: string): void => console.error(line);
const print = (title: string, value: unknown): void => console.log(title, JSON.stringify(value, undefined, 1));

let testbed: BenchTestbed | undefined;
const open = async (vcenter: BenchVCenter): Promise<BenchTestbed> => {
  testbed = await openBenchTestbed({ vcenter, latencyMs: Number(BENCH_LATENCY_MS) });
  return testbed;
};
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

const expectFewCalls = ({ nodes, initialized, callsPerNode }: Measured): void => {
  expect(initialized).toBe(nodes);
  // Some thirty calls are needed whatever the number of nodes.
  expect(callsPerNode).toBeLessThanOrEqual(Math.max(0.1, 40 / nodes));
};
/** The long poll and the signs of life of two sessions, whatever the number of nodes. */
const expectQuiet = ({ seconds, vcenterCalls }: Period): void => {
  expect(vcenterCalls).toBeLessThanOrEqual(3 + Math.ceil(seconds / 10));
};
const ratio = (theirs: number, own: number): number => rounded(theirs / Math.max(own, 0.01));

let perNode: number | undefined;

test(`initialises ${few} nodes with few calls and little memory, and then is quiet`, {
  timeout: 3_600_000,
}, async () => {
  const at = await open(await openVcsim(few));
  const options = { quietSeconds: Number(BENCH_QUIET), timeoutSeconds: 900, log };
  const result = await measureProgram(at, { ...options, ...ours });
  print('ours', result);
  if (BENCH_CCM !== undefined) {
    const other = await measureProgram(at, { ...options, command: BENCH_CCM });
    print('the other', other);
    print('the other / ours', {
      seconds: ratio(other.seconds, result.seconds),
      callsPerNode: ratio(other.callsPerNode, result.callsPerNode),
      cpuSeconds: ratio(other.cpuSeconds, result.cpuSeconds),
      peakRssMb: ratio(other.peakRssMb, result.peakRssMb),
    });
  }
  expectFewCalls(result);
  // What the Go program takes for as many.
  if (few <= 1000) expect(result.peakRssMb).toBeLessThanOrEqual(109);
  if (result.quiet) expectQuiet(result.quiet);
  if (result.notReady) expectQuiet(result.notReady);
  expect(result.nodesLeft ?? few).toBe(few);
  perNode = result.seconds / few;
});

test(`initialises ${many} nodes in linear time`, { timeout: 3_600_000 }, async () => {
  const at = await open(await openSim(many));
  const result = await measureProgram(at, { ...ours, quietSeconds: 0, timeoutSeconds: 1800, log });
  print('ours', result);
  expectFewCalls(result);
  expect(result.peakRssMb).toBeLessThanOrEqual(250);
  if (perNode !== undefined) expect(result.seconds / many).toBeLessThan(2 * perNode);
});
