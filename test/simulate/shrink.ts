import type { Step } from './steps/step.ts';

/**
 * The fewest steps that still fail, by leaving out ever smaller parts (delta debugging). `fails` lives a list of steps and says whether
 * it fails as the whole did; it is asked at most `tries` times.
 */
export const shrink = async (
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
  { tries = 150 }: { readonly tries?: number } = {},
): Promise<readonly Step[]> => {
  let kept = steps;
  let left = tries;
  for (let size = Math.ceil(kept.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length && left > 0; ) {
      const without = [...kept.slice(0, at), ...kept.slice(at + size)];
      left -= 1;
      if (await fails(without)) kept = without;
      else at += size;
    }
  }
  return kept;
};
