import { afterAll, expect, it } from 'vitest';
import { type FuzzTarget, fuzz } from './fuzz.ts';
import { networkTargets } from './network-targets.ts';
import { textTargets } from './text-targets.ts';
import { xmlTargets } from './xml-targets.ts';

/** For each reader. */
const minutes = Number(process.env['VDO_FUZZ_MINUTES'] ?? '10');
const targets = [...xmlTargets, ...textTargets(), ...(await networkTargets())];
// Another day, other cases; the one that fails is named.
const seed = Math.floor(Date.now() / 1_000);

afterAll(() => Promise.all(targets.map((target) => target.close?.())));

it.each(targets.map((target) => [target.name, target] as const))(
  '%s holds for as long as is told',
  async (name: string, target: FuzzTarget) => {
    const endsMs = performance.now() + minutes * 60_000;
    const outcome = await fuzz(target, { seed, goesOn: () => performance.now() < endsMs });
    console.log(`${name}: ${JSON.stringify(outcome)}, seed ${seed}, ${minutes} minutes`);
    expect(outcome.read).toBeGreaterThan(0);
    expect(outcome.refused).toBeGreaterThan(0);
  },
  minutes * 60_000 + 120_000,
);
