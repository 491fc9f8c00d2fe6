import { expect, it } from 'vitest';
import { runOperatorSeed } from './run-operator-seed.ts';

// Issue 17. More of them: `npm run simulate -- --operator`.
it.each([2, 3])('two operators live through seed %i', { timeout: 180_000 }, async (seed) => {
  const { violations, story } = await runOperatorSeed(seed, { count: 6 });
  expect(violations, story.join('\n')).toEqual([]);
});
