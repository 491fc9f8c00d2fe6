import { describe, expect, it } from 'vitest';
import { runSeed } from './run-seed.ts';
import { shrink } from './shrink.ts';
import type { Step } from './steps/step.ts';

const step = (kind: string, ...dice: number[]): Step => ({
  kind,
  dice: [dice[0] ?? 0, dice[1] ?? 0, dice[2] ?? 0],
  gapMs: 2_000,
});

describe('a seed', () => {
  it('gives the same life again, and so do the steps that it drew', async () => {
    const first = await runSeed(7, { count: 6 });
    const again = await runSeed(7, { count: 6 });
    const bySteps = await runSeed(7, { steps: first.steps });
    expect(first.steps).toHaveLength(6);
    expect([again.trace, bySteps.trace]).toEqual([first.trace, first.trace]);
    expect((await runSeed(8, { count: 6 })).trace).not.toBe(first.trace);
  });

  it('is well when users do what users do and nothing fails', async () => {
    const steps = ['create', 'attach', 'snapshot', 'detach', 'delete snapshot', 'grow', 'delete claim'];
    const { violations, story } = await runSeed(1, { steps: steps.map((kind) => step(kind, 0, 0.9)) });
    expect(violations).toEqual([]);
    expect(story.join('\n')).toContain('claim-1 grows to 2 Gi');
  });
});

describe('shrinking', () => {
  it('leaves the steps that it takes to fail', async () => {
    const steps = Array.from({ length: 60 }, (_, index) => step(`${index}`));
    const small = await shrink(steps, async (left) =>
      ['17', '42'].every((wanted) => left.some(({ kind }) => kind === wanted)),
    );
    expect(small.map(({ kind }) => kind)).toEqual(['17', '42']);
  });

  it('gives up in time', async () => {
    let tries = 0;
    const never = async () => {
      tries += 1;
      return false;
    };
    await shrink([step('a'), step('b'), step('c')], never, { tries: 2 });
    expect(tries).toBe(2);
  });
});
