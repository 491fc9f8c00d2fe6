import { createVdoMigration } from '@vdo/vdoctl/commands/migrate/vdo/vdo-migration';
import { describe, expect, it } from 'vitest';
import { survivesInterruption } from './interrupted.ts';
import { seedUpstreamVdo } from './upstream-vdo.ts';

describe('a migration that is interrupted', () => {
  it('at any write, there or back, comes to one of its two ends', { timeout: 900_000 }, async () => {
    const migration = createVdoMigration({ distribution: 'Upstream', secretName: 'vcenter' });
    const { there, back } = await survivesInterruption({ migration, seed: seedUpstreamVdo });
    expect(there).toBeGreaterThan(8);
    expect(back).toBeGreaterThan(20);
    console.info(`${there} states on the way there, ${back} on the way back`);
  });
});
