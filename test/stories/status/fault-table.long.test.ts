import { createSeededRandom } from '@vdo/base/random';
import { describe, expect, it } from 'vitest';
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
const upstreamRows: FaultRow[] = [];
const page = '../../../docs/reference/faults.md';

/** Ordered: which of two strikes first matters. By a seed, so that a run can be repeated. */
const seed = Number(process.env['VDO_FAULT_SEED'] ?? 1);
const random = createSeededRandom(seed);
const pairs = Array.from({ length: 60 }, () => {
  const first = Math.floor(random.next() * allFaults.length);
  const second = (first + 1 + Math.floor(random.next() * (allFaults.length - 1))) % allFaults.length;
  return [allFaults[first] ?? '', allFaults[second] ?? ''];
});

const intro = `<!-- Written by test/stories/status/fault-table.long.test.ts. Do not edit: npx vitest run --project long fault-table -u. -->

# Faults, and how they are shown

What a user sees while something is broken: every fault of the simulated vCenter alone, and pairs of them in the order in which
they occurred. Times are on the operator's clock, to the second; no run of the checks is requested. A fault that the operator sees in a watch is shown within seconds.
Other faults are shown at the next run of the check ([how soon](../guides/health-checks.md#how-soon-a-fault-and-a-repair-show)).
"Calls a minute" counts the calls of the operator to vCenter during the fault. The exit code is that of \`vdoctl status\`. \`vdoctl sandbox break\` injects each of the faults.
`;

const introUpstream = `
## With the drivers of the Kubernetes project

The same faults with \`distribution: Upstream\`: the operator finds and reports them in the same way.
`;

describe(`every fault alone and 60 pairs (seed ${seed})`, { timeout: 600_000 }, () => {
  it.each(
    [...allFaults.map((name) => [name]), ...pairs].map(
      (names, index) => [`${index}: ${names.join(' + ')}`, names] as const,
    ),
  )('%s', async (_name, names) => {
    const row = await tryFaults(names);
    rows.push(row);
    expect(row).toMatchObject({ healthyWhileFailing: false, unexplained: [] });
    expect(row.exitCode).toBe(3);
    expect(row.callsPerMinute).toBeLessThanOrEqual(10);
    if (names.some((name) => shownAtOnce.includes(name))) expect(row.shownAfter).toBeLessThanOrEqual(5);
    expect(['Degraded', 'Unavailable', 'ActionRequired']).toContain(row.word);
    const isPrompt = names.every((name) => watchable.includes(name) || edited.includes(name));
    expect(row.greenAfter).toBeLessThanOrEqual(isPrompt ? 10 : 90);
  });

  // The Go programs say nothing of it: words, causes and remedies are the operator's, and the same.
  it.each(allFaults)('of Upstream drivers: %s', async (name) => {
    const row = await tryFaults([name], 'Upstream');
    upstreamRows.push(row);
    const { word, exitCode, remedy } = rows.find(({ faults }) => faults === name) ?? {};
    expect(row).toMatchObject({ word, exitCode, remedy, healthyWhileFailing: false, unexplained: [] });
    if (shownAtOnce.includes(name)) expect(row.shownAfter).toBeLessThanOrEqual(5);
    const isPrompt = watchable.includes(name) || edited.includes(name);
    expect(row.greenAfter).toBeLessThanOrEqual(isPrompt ? 10 : 90);
  });

  it('are published as they are', async () => {
    expect(upstreamRows).toHaveLength(allFaults.length);
    expect(rows).toHaveLength(allFaults.length + pairs.length);
    // Of several rows about the same faults one is enough.
    const reported = [...new Set([...faultTableHead, ...rows.map(writeFaultRow)])];
    const upstream = [introUpstream, ...faultTableHead, ...upstreamRows.map(writeFaultRow)];
    if (seed === 1) await expect(`${[intro, ...reported, ...upstream].join('\n')}\n`).toMatchFileSnapshot(page);
  });
});
