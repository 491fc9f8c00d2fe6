import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { replay } from './replay.ts';
import type { SeedOptions, SeedResult } from './run-seed.ts';

/**
 * Lives seeds one after the other, with `--seeds -` as they come on the input, and tells of each on a line of JSON; started by
 * tools/simulate.mjs.
 */
export const liveSeeds = async (live: (seed: number, options: SeedOptions) => Promise<SeedResult>): Promise<void> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '-' },
      steps: { type: 'string' },
      replay: { type: 'string' },
      shrink: { type: 'boolean' },
    },
  });
  const count = values.steps === undefined ? {} : { count: Number(values.steps) };
  if (values.replay !== undefined) {
    console.log(await replay(Number(values.replay), { ...count, live, shrinks: values.shrink === true }));
    return;
  }
  const seeds = values.seeds === '-' ? createInterface({ input: process.stdin }) : values.seeds.split(',');
  for await (const seed of seeds) {
    const { story: _story, steps, ...result } = await live(Number(seed), count);
    console.log(JSON.stringify({ ...result, steps: steps.length }));
  }
};
