import { describe, it } from 'vitest';
import { liveRandomly } from './testing/random-life.ts';

describe('whatever happens, everything comes to rest as it was wished', () => {
  it.each([1, 2, 3])('seed %i', (seed) => liveRandomly(seed, 20));

  // A volume that nobody wants any more was deleted, and the reply was lost.
  it('seed 6077', () => liveRandomly(6077, 60));
});
