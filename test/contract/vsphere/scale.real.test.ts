import { describe, expect, it } from 'vitest';
import { checkScaleOnVcsim } from './vcsim-scale.ts';

// A thousand are followed in the long tier: what a change costs vcsim grows with the number of VMs that are watched.
describe('the inventory of 100 nodes on govmomi vcsim', () => {
  it('costs at most N/100 + 25 calls cold, and changes then cost no reads', { timeout: 600_000 }, async () => {
    expect(await checkScaleOnVcsim(100)).toHaveLength(100);
  });
});
