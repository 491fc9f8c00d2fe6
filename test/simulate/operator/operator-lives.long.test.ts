import { afterAll, expect, it } from 'vitest';
import { liveOperatorSeed } from './live.ts';

const seeds = Number(process.env['OPERATOR_SEEDS'] ?? 100);
const results: { readonly perMinute: number; readonly restSeconds: number }[] = [];
afterAll(() => {
  const most = (of: keyof (typeof results)[number]) => Math.max(...results.map((one) => one[of]));
  console.log(
    `${results.length} lives of two operators; at rest at most ${most('perMinute')} calls a minute, after at most ${most('restSeconds')} s`,
  );
});

// Issue 17.
it.each(Array.from({ length: seeds }, (_, index) => index + 1))('seed %i', async (seed) => {
  const { violations, story, ...figures } = await liveOperatorSeed(seed, 40);
  expect(violations, story.join('\n')).toEqual([]);
  results.push(figures);
});
