import { describe, it } from 'vitest';
import { checkInventoryScale } from './inventory-scale.ts';

describe('the inventory of 10,000 nodes', () => {
  it('costs at most N/100 + 25 calls cold, and changes then cost no reads', () => checkInventoryScale(10_000, 0));
});
