import { expect, it } from 'vitest';
import { liveOperatorSeed } from './live.ts';

// Issue 17. More of them: `npm run test:long -- operator-lives`.
it.each([2, 3])('two operators live through seed %i', { timeout: 180_000 }, async (seed) => {
  const { violations, story } = await liveOperatorSeed(seed, 12);
  expect(violations, story.join('\n')).toEqual([]);
});
