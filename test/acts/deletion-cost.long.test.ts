import { expect, it } from 'vitest';
import { costOfDeletion } from './deletion-cost.ts';

it('a deletion costs the same in a cluster of 100 volumes and in one of 20,000', { timeout: 1_200_000 }, async () => {
  const [few, many] = [await costOfDeletion(100), await costOfDeletion(20_000)];
  console.log('per deletion', { few, many });
  expect(few.requests).toBeGreaterThan(0);
  expect(many.requests).toBeLessThanOrEqual(few.requests * 1.1);
  expect(many.bytes).toBeLessThanOrEqual(few.bytes * 1.1);
  expect(many.calls).toBeLessThanOrEqual(few.calls * 1.1);
});
