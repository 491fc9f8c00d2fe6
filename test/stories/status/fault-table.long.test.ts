import { createSeededRandom } from '@vdo/base/random';
import { afterAll, describe, expect, it } from 'vitest';
import {
  allFaults,
  edited,
  type FaultRow,
  faultTableHead,
  shownAtOnce,
  tryFaults,
  watchable,
  writeFaultRow,
} from './fault-table.ts';

const rows: FaultRow[] = [];
afterAll(() => {
  console.log([...faultTableHead, ...rows.map(writeFaultRow)].join('\n'));
});

/** Ordered: which of two strikes first matters. By a seed, so that a run can be repeated. */
const seed = Number(process.env['VDO_FAULT_SEED'] ?? 1);
const random = createSeededRandom(seed);
const pairs = Array.from({ length: 60 }, () => {
  const first = Math.floor(random.next() * allFaults.length);
  const second = (first + 1 + Math.floor(random.next() * (allFaults.length - 1))) % allFaults.length;
  return [allFaults[first] ?? '', allFaults[second] ?? ''];
});

describe(`every fault alone and 60 pairs (seed ${seed})`, { timeout: 600_000 }, () => {
  it.each(
    [...allFaults.map((name) => [name]), ...pairs].map(
      (names, index) => [`${index}: ${names.join(' + ')}`, names] as const,
    ),
  )('%s', async (_name, names) => {
    const row = await tryFaults(names);
    rows.push(row);
    expect(row.healthyWhileFailing).toBe(false);
    expect(row.exitCode).toBe(3);
    if (names.some((name) => shownAtOnce.includes(name))) expect(row.shownAfter).toBeLessThanOrEqual(5);
    expect(['Degraded', 'Unavailable', 'ActionRequired']).toContain(row.word);
    const isPrompt = names.every((name) => watchable.includes(name) || edited.includes(name));
    expect(row.greenAfter).toBeLessThanOrEqual(isPrompt ? 10 : 90);
  });
});
