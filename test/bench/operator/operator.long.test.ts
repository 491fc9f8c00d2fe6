import { expect, test } from 'vitest';
import { benchOperator } from './bench-operator.ts';

// npm run bench:operator                                          1 node to Ready, then 5,000 nodes and three quiet minutes
// BENCH_NODES=1000 BENCH_QUIET=3600 npm run bench:operator        other sizes; an hour gives the calls per hour as they are
const { BENCH_NODES = '5000', BENCH_QUIET = '180' } = process.env;
const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

test('a minimal resource becomes Ready within ten seconds', { timeout: 300_000 }, async () => {
  const result = await benchOperator({ nodes: 1, quietSeconds: 0, log });
  log(JSON.stringify(result, undefined, 1));
  expect(result.secondsToReady).toBeLessThanOrEqual(10);
});

test('a large cluster at rest costs little', { timeout: 7_200_000 }, async () => {
  const quietSeconds = Number(BENCH_QUIET);
  const result = await benchOperator({ nodes: Number(BENCH_NODES), quietSeconds, log });
  const calls = Object.values(result.vcenterCalls).reduce((sum, count) => sum + count, 0);
  const callsPerHour = Math.round((calls * 3600) / quietSeconds);
  log(JSON.stringify({ ...result, callsPerHour }, undefined, 1));
  expect(result.cpuPercent).toBeLessThan(2);
  // The peak, not what is left at rest: it is the peak that a memory limit kills for.
  expect(result.peakRssMb).toBeLessThanOrEqual(200);
  // Groups of checks run each 5, 15 and 60 minutes: a shorter look sees too many or too few of them.
  if (quietSeconds >= 3600) expect(callsPerHour).toBeLessThanOrEqual(50);
});
