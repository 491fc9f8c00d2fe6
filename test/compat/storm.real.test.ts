import { it } from 'vitest';
import { weatherStorm } from './storm.ts';

// 50 rounds in storm.long.test.ts.
it('two controllers, stopped and killed at random, lose nothing', { timeout: 900_000 }, () =>
  weatherStorm({ rounds: 2, claims: 8, seed: 2 }),
);
