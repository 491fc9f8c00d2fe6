import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { runOperatorSeed } from '../operator/run-operator-seed.ts';
import { replay } from '../replay.ts';
import { runSeed } from '../run-seed.ts';

// Lives seeds one after the other, with `--seeds -` as they come on the input, and tells of each on a line of JSON; started by
// tools/simulate.mjs.
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '-' },
    steps: { type: 'string' },
    replay: { type: 'string' },
    shrink: { type: 'boolean' },
    operator: { type: 'boolean' },
  },
});
const live = values.operator ? runOperatorSeed : runSeed;
const count = values.steps === undefined ? {} : { count: Number(values.steps) };

if (values.replay !== undefined)
  console.log(await replay(Number(values.replay), { ...count, live, shrinks: values.shrink === true }));
else
  for await (const seed of values.seeds === '-' ? createInterface({ input: process.stdin }) : values.seeds.split(',')) {
    const { story: _story, steps, ...result } = await live(Number(seed), count);
    console.log(JSON.stringify({ ...result, steps: steps.length }));
  }
