import type { SeedOptions, SeedResult } from './run-seed.ts';
import { shrink } from './shrink.ts';

/** What a violation is about, without the names of objects. */
const kindOf = (violations: readonly string[]): string | undefined =>
  violations[0]?.replace(/^no rest within [^:]*: /, '').split(':')[0];

/** Lives a seed again and tells its story; of one that fails, if asked, the shortest story that fails alike. */
export const replay = async (
  seed: number,
  {
    shrinks,
    live,
    ...options
  }: SeedOptions & {
    readonly shrinks: boolean;
    readonly live: (seed: number, options: SeedOptions) => Promise<SeedResult>;
  },
): Promise<string> => {
  const whole = await live(seed, options);
  const kind = kindOf(whole.violations);
  const isAlike = async (steps: typeof whole.steps) =>
    kindOf((await live(seed, { steps, restMs: 900_000 })).violations) === kind;
  const steps = kind !== undefined && shrinks ? await shrink(whole.steps, isAlike) : whole.steps;
  const reported = steps === whole.steps ? whole : await live(seed, { steps });
  return [
    `seed ${seed}, ${reported.steps.length} of ${whole.steps.length} steps, trace ${reported.trace}`,
    ...reported.story,
    ...(reported.violations.length === 0
      ? ['all is well']
      : reported.violations.map((violation) => `VIOLATION ${violation}`)),
    ...reported.clues,
  ].join('\n');
};
