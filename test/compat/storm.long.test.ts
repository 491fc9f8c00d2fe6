import { it } from 'vitest';
import { weatherStorm } from './storm.ts';

it(
  'two controllers, stopped and killed at random in 50 rounds under 200 claims, lose nothing',
  { timeout: 3_600_000 },
  () =>
    weatherStorm({
      rounds: 50,
      claims: 200,
      seed: Number(process.env['SEED'] ?? 1),
      onRound: (round) => console.log(`round ${round} of 50`),
    }),
);
