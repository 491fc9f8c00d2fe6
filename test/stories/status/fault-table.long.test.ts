import { createSeededRandom } from '@vdo/base/random';
import { cadence } from '@vdo/checks/check';
import { describe, expect, it } from 'vitest';
import {
  allFaults,
  edited,
  type FaultRow,
  faultTableHead,
  passing,
  reasonOf,
  repairable,
  shownAtOnce,
  tryFaults,
  warned,
  watchable,
  writeFaultRow,
} from './fault-table.ts';
import type { Distribution } from './fault-world.ts';
import { runRemedyOf } from './run-remedy.ts';

const rows: FaultRow[] = [];
const upstreamRows: FaultRow[] = [];
const repaired: string[] = [];
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

What a user sees while something is broken: every fault of the sandbox alone, and pairs of them in the order in which
they occurred. Times are on the operator's clock, to the second; no run of the checks is requested. A fault that the operator sees in a watch is shown within seconds.
Other faults are shown at the next run of the check ([how soon](../guides/health-checks.md#how-soon-a-fault-and-a-repair-show)).
"Calls a minute" counts the calls of the operator to vCenter during the fault. The exit code is that of \`vdoctl status\`. \`vdoctl sandbox break\` injects each of the faults.
`;

const introUpstream = `
## With the drivers of the Kubernetes project

The same faults with \`distribution: Upstream\`: the operator finds and reports them in the same way.
`;

const introRepaired = `
## Remedies that were run

The commands that the status showed, run as they stand with \`vdoctl\` against the same world. After the last one everything is green within 10 s.

| Fault | Drivers | Commands |
|---|---|---|`;

const introApart = `
## What is not in these tables

| Fault | Why |
|---|---|`;

const isPrompt = (name: string): boolean => watchable.includes(name) || edited.includes(name);
/** A warning is looked at again in the regular rounds of the checks of vCenter alone. */
const roundSeconds = (cadence.vcenter.everyMs * 1.1) / 1_000;
const limitOf = (name: string): number => (warned.includes(name) ? roundSeconds : isPrompt(name) ? 10 : 90);
const distributions: readonly Distribution[] = ['Native', 'Upstream'];

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
    expect(row.greenAfter).toBeLessThanOrEqual(names.every(isPrompt) ? 10 : 90);
  });

  it.each(warned)('%s warns only', async (name) => {
    const row = await tryFaults([name]);
    rows.push(row);
    expect(row).toMatchObject({ word: 'Attention', exitCode: 0, healthyWhileFailing: false, unexplained: [] });
    expect(row.callsPerMinute).toBeLessThanOrEqual(10);
    expect(row.greenAfter).toBeLessThanOrEqual(roundSeconds);
  });

  // The Go programs say nothing of it: words, causes and remedies are the operator's, and the same.
  it.each([...allFaults, ...warned])('of Upstream drivers: %s', async (name) => {
    const row = await tryFaults([name], 'Upstream');
    upstreamRows.push(row);
    const { word, exitCode, remedy } = rows.find(({ faults }) => faults === name) ?? {};
    expect(row).toMatchObject({ word, exitCode, remedy, healthyWhileFailing: false, unexplained: [] });
    if (shownAtOnce.includes(name)) expect(row.shownAfter).toBeLessThanOrEqual(5);
    expect(row.callsPerMinute).toBeLessThanOrEqual(10);
    expect(row.greenAfter).toBeLessThanOrEqual(limitOf(name));
  });

  it.each(repairable.flatMap((name) => distributions.map((distribution) => [name, distribution] as const)))(
    '%s of %s drivers is repaired by the commands that the status shows',
    async (name, distribution) => {
      const { commands, runs, healthyWhileFailing, greenAfter } = await runRemedyOf(name, distribution);
      expect(commands.length).toBeGreaterThan(0);
      expect(runs.map(({ exitCode, err }) => (exitCode === 0 ? 0 : err))).toEqual(commands.map(() => 0));
      expect(healthyWhileFailing).toBe(false);
      expect(greenAfter).toBeLessThanOrEqual(10);
      const shown = commands.map((command) => `\`${command.replaceAll('127.0.0.1', 'vc.example.com')}\``);
      repaired.push(`| ${name} | ${distribution} | ${shown.join(', ')} |`);
    },
  );

  it('are published as they are', async () => {
    expect(upstreamRows).toHaveLength(allFaults.length + warned.length);
    expect(rows).toHaveLength(allFaults.length + warned.length + pairs.length);
    expect(repaired).toHaveLength(repairable.length * distributions.length);
    // Of several rows about the same faults one is enough.
    const reported = [...new Set([...faultTableHead, ...rows.map(writeFaultRow)])];
    const upstream = [introUpstream, ...faultTableHead, ...upstreamRows.map(writeFaultRow)];
    const notRun = [...allFaults, ...warned].filter((name) => !repairable.includes(name));
    const apart = [...passing, ...notRun].map((name) => `| ${name} | ${reasonOf(name)} |`);
    const parts = [intro, ...reported, ...upstream, introRepaired, ...repaired, introApart, ...apart];
    if (seed === 1) await expect(`${parts.join('\n')}\n`).toMatchFileSnapshot(page);
  });
});
