import { expect, test } from 'vitest';
import { benchOperator } from './bench-operator.ts';
import { countCalls } from './count-calls.ts';

// npm run bench:operator      1 node to Ready; 5,000 nodes and three quiet minutes; 5,000 nodes and four hours of a driven clock
// BENCH_NODES=1000 BENCH_QUIET=600 BENCH_HOURS=12 npm run bench:operator    other sizes and times
const { BENCH_NODES = '5000', BENCH_QUIET = '180', BENCH_HOURS = '4' } = process.env;
const goals = { secondsToReady: 10, cpuPercent: 2, peakRssMb: 200, callsPerHour: 50 } as const;
const nodes = Number(BENCH_NODES);
const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
const print = (result: object, ...met: readonly (keyof typeof goals)[]): void => {
  const shown = Object.fromEntries(met.map((goal) => [goal, goals[goal]]));
  log(JSON.stringify({ ...result, goals: shown }, undefined, 1));
};

test('a minimal resource becomes Ready within ten seconds', { timeout: 300_000 }, async () => {
  const result = await benchOperator({ nodes: 1, quietSeconds: 0, log });
  print(result, 'secondsToReady');
  expect(result.secondsToReady).toBeLessThanOrEqual(goals.secondsToReady);
});

test('a large cluster at rest costs little', { timeout: 7_200_000 }, async () => {
  const result = await benchOperator({ nodes, quietSeconds: Number(BENCH_QUIET), log });
  print(result, 'cpuPercent', 'peakRssMb');
  expect(result.cpuPercent).toBeLessThan(goals.cpuPercent);
  // The peak, not what is left at rest: it is the peak that a memory limit kills for.
  expect(result.peakRssMb).toBeLessThanOrEqual(goals.peakRssMb);
});

test('a large cluster at rest calls vCenter seldom', { timeout: 7_200_000 }, async () => {
  const result = await countCalls({ nodes, hours: Number(BENCH_HOURS), log });
  print(result, 'callsPerHour');
  // It did look: a count of zero would say that the bench is broken.
  expect(Math.min(...result.perHour)).toBeGreaterThan(5);
  expect(result.busiest).toBeLessThanOrEqual(goals.callsPerHour);
  expect(result.logins).toBe(0);
});
