import { expect, it } from 'vitest';
import { costOfDeletion } from './deletion-cost.ts';

// At 20,000 in deletion-cost.long.test.ts.
it('a deletion costs the same in a cluster of 100 volumes and in one of 1,000', { timeout: 180_000 }, async () => {
  const [few, many] = [await costOfDeletion(100), await costOfDeletion(1_000)];
  expect(few.requests).toBeGreaterThan(0);
  expect(many.requests).toBeLessThanOrEqual(few.requests * 1.1);
  expect(many.bytes).toBeLessThanOrEqual(few.bytes * 1.1);
  expect(many.calls).toBeLessThanOrEqual(few.calls * 1.1);
});
