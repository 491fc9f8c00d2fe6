import { describe, it } from 'vitest';
import { liveRandomly } from './testing/random-life.ts';

// npm run test:long -- random-life                              300 seeds
// VDO_SEEDS=2000 VDO_FIRST_SEED=1001 npm run test:long -- random-life    others
// VDO_SEED=42 npm run test:long -- random-life                  one of them again
const { VDO_SEED, VDO_SEEDS = '300', VDO_FIRST_SEED = '1001' } = process.env;
const seeds =
  VDO_SEED === undefined
    ? Array.from({ length: Number(VDO_SEEDS) }, (_, index) => Number(VDO_FIRST_SEED) + index)
    : [Number(VDO_SEED)];

describe('whatever happens, everything comes to rest as it was wished', () => {
  it.each(seeds)('seed %i', { timeout: 300_000 }, (seed) => liveRandomly(seed, 60));
});
