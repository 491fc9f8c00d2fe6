import { expect, it } from 'vitest';
import { heapOfPasses } from './heap-of-passes.ts';

// Issue 17: memory is flat over 1,000 passes and 10,000 events.
it('the heap after 1,000 passes and 10,000 events is what it was after 200', async () => {
  const { passes, events, heap, grownMb } = await heapOfPasses({ turns: 1_000, every: 200 });
  console.log(`passes: ${passes}, events: ${events}; MB of heap by turns:`, Object.fromEntries(heap));
  expect(passes).toBeGreaterThanOrEqual(1_000);
  expect(grownMb).toBeLessThan(3);
});
