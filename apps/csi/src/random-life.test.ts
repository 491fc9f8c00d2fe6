import { describe, it } from 'vitest';
import { liveRandomly } from './testing/random-life.ts';

describe('whatever happens, everything comes to rest as it was wished', () => {
  it.each([1, 2, 3])('seed %i', (seed) => liveRandomly(seed, 20));

  it.each([
    [6058, 'an attachment whose replies were lost came late, after its disk was detached'],
    [6077, 'a volume that nobody wants any more was deleted, and the reply was lost'],
  ])('seed %i: %s', (seed) => liveRandomly(seed, 60));
});
