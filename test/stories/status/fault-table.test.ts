import { faultNames } from '@vdo/sandbox/faults/fault-catalogue';
import { describe, expect, it } from 'vitest';
import { allFaults, passing, repairable, tryFaults, warned } from './fault-table.ts';
import { runRemedyOf } from './run-remedy.ts';

// All faults and 60 pairs of them: fault-table.long.test.ts.
describe('a fault and its repair', { timeout: 240_000 }, () => {
  it.each([
    ['Native', ['disk-uuid-off'], 10],
    ['Native', ['vcenter-down'], 90],
    ['Native', ['vm-deleted', 'datastore-gone'], 90],
    ['Upstream', ['tools-stopped'], 10],
  ] as const)('of %s drivers: %s', async (distribution, names, limit) => {
    const row = await tryFaults(names, distribution);
    expect(row).toMatchObject({ healthyWhileFailing: false, exitCode: 3, unexplained: [] });
    expect(['Degraded', 'Unavailable', 'ActionRequired']).toContain(row.word);
    expect(row.shownAfter).toBeLessThanOrEqual(5);
    expect(row.callsPerMinute).toBeLessThanOrEqual(10);
    expect(row.greenAfter).toBeLessThanOrEqual(limit);
  });

  it('is tried for every fault of the sandbox that lasts', () => {
    expect([...allFaults, ...warned, ...passing].sort()).toEqual([...faultNames].sort());
  });

  it.each([
    ['Native', 'disk-uuid-off'],
    ['Upstream', 'bad-password'],
  ] as const)('of %s drivers: %s is repaired by the commands that the status shows', async (distribution, name) => {
    expect(repairable).toContain(name);
    const { commands, runs, ...row } = await runRemedyOf(name, distribution);
    expect(commands.length).toBeGreaterThan(0);
    expect(runs.map(({ exitCode, err }) => [exitCode, exitCode === 0 ? '' : err])).toEqual(commands.map(() => [0, '']));
    expect(row.healthyWhileFailing).toBe(false);
    expect(row.greenAfter).toBeLessThanOrEqual(10);
  });
});
