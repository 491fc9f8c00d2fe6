import { describe, expect, it } from 'vitest';
import { tryFaults } from './fault-table.ts';

// All faults and 60 pairs of them: fault-table.long.test.ts.
describe('a fault and its repair', { timeout: 240_000 }, () => {
  it.each([
    [['disk-uuid-off'], 10],
    [['vcenter-down'], 90],
    [['vm-deleted', 'datastore-gone'], 90],
  ])('%s', async (names, limit) => {
    const row = await tryFaults(names);
    expect(row).toMatchObject({ healthyWhileFailing: false, exitCode: 3 });
    expect(['Degraded', 'Unavailable', 'ActionRequired']).toContain(row.word);
    expect(row.shownAfter).toBeLessThanOrEqual(5);
    expect(row.greenAfter).toBeLessThanOrEqual(limit);
  });
});
