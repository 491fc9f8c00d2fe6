import { expect, it } from 'vitest';
import { heapOfPasses } from './heap-of-passes.ts';

// Issue 17. A pass keeps nothing: what it reads is some hundred kilobytes. Finer: `npm run test:long -- memory`.
it('the heap after 60 passes and 600 events is what it was after 30', async () => {
  const { passes, grownMb } = await heapOfPasses({ turns: 60, every: 30 });
  expect(passes).toBeGreaterThanOrEqual(60);
  expect(grownMb).toBeLessThan(2);
});
