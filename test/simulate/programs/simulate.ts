import { liveSeeds } from '../live-seeds.ts';
import { runSeed } from '../run-seed.ts';

await liveSeeds(runSeed);
