import { describe, expect, it } from 'vitest';
import { checkScaleOnVcsim } from './vcsim-scale.ts';

// A thousand are followed in the long tier: vcsim takes two minutes for them.
describe('the inventory of 300 nodes on govmomi vcsim', () => {
  it('costs at most N/100 + 25 calls cold, and changes then cost no reads', { timeout: 600_000 }, async () => {
    expect(await checkScaleOnVcsim(300)).toHaveLength(300);
  });
});
