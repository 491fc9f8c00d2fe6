import { describe, it } from 'vitest';
import { checkInventoryScale, startScaleSim } from './inventory-scale.ts';

describe('the inventory of many nodes', () => {
  it('costs at most N/100 + 25 calls cold, and changes then cost no reads', async () => {
    await checkInventoryScale(startScaleSim(500, 500));
  });
});
