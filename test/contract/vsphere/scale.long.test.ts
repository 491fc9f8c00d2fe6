import { describe, expect, it } from 'vitest';
import { checkScaleOnVcsim } from './vcsim-scale.ts';

describe('the inventory of 1,000 nodes on govmomi vcsim', () => {
  it('costs at most N/100 + 25 calls cold, and changes then cost no reads', { timeout: 600_000 }, async () => {
    expect(await checkScaleOnVcsim(1000)).toHaveLength(1000);
  });
});
