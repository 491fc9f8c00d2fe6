import { afterAll, expect, it } from 'vitest';
import { type FuzzTarget, fuzz } from './fuzz.ts';
import { networkTargets } from './network-targets.ts';
import { createProgress } from './progress.ts';
import { textTargets } from './text-targets.ts';
import { xmlTargets } from './xml-targets.ts';

/** For each reader, over all runs on one commit. */
const minutes = Number(process.env['VDO_FUZZ_MINUTES'] ?? '10');
const targets = [...xmlTargets, ...textTargets(), ...(await networkTargets())];
// Another day, other cases. The one that fails is named with its seed, by which it is found again.
const seed = Number(process.env['VDO_FUZZ_SEED'] ?? Math.floor(Date.now() / 1_000));
/** Of a reader whose time is over already. */
const leastCases = 500;

afterAll(() => Promise.all(targets.map((target) => target.close?.())));

it.each(targets.map((target) => [target.name, target] as const))(
  '%s holds for as long as is told',
  async (name: string, target: FuzzTarget) => {
    const progress = createProgress(name);
    let lastMs = performance.now();
    const goesOn = (done: number): boolean => {
      const nowMs = performance.now();
      progress.add(nowMs - lastMs);
      lastMs = nowMs;
      return done < leastCases || progress.spentMs() < minutes * 60_000;
    };
    const outcome = await fuzz(target, { seed, goesOn });
    progress.keep();
    console.log(`${name}: ${JSON.stringify(outcome)}, seed ${seed}, ${minutes} minutes on this commit`);
    expect(outcome.read).toBeGreaterThan(0);
    expect(outcome.refused).toBeGreaterThan(0);
  },
  minutes * 60_000 + 120_000,
);
