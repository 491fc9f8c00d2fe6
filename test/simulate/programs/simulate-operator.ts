import { liveSeeds } from '../live-seeds.ts';
import { runOperatorSeed } from '../operator/run-operator-seed.ts';

await liveSeeds(runOperatorSeed);
