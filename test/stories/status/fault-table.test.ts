import { describe, expect, it } from 'vitest';
import { tryFaults } from './fault-table.ts';

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
});
