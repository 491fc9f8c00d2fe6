import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createRounds } from './rounds.ts';

const minute = 60_000;
const start = (seed: number) => {
  const clock = createVirtualClock();
  return { clock, rounds: createRounds({ clock, random: createSeededRandom(seed) }) };
};

describe('rounds', () => {
  it('bring groups of different periods together again', async () => {
    const { clock, rounds } = start(1);
    const quarterMs = rounds.nextMs(15 * minute);
    for (let round = 0; round < 3; round++) await clock.advance(rounds.nextMs(5 * minute) - clock.monotonicMs());
    expect(Math.abs(clock.monotonicMs() - quarterMs)).toBeLessThan(1);
    expect(rounds.isNow(quarterMs)).toBe(true);
  });

  it('take a group that a change woke back into the common rounds', async () => {
    const { clock, rounds } = start(2);
    const first = rounds.nextMs(5 * minute);
    const roundMs = first - clock.monotonicMs();
    await clock.advance(3.4 * roundMs);
    const rest = (rounds.nextMs(15 * minute) - first) / roundMs;
    expect(Math.abs(rest - Math.round(rest))).toBeLessThan(1e-6);
    expect(rounds.nextMs(15 * minute) - clock.monotonicMs()).toBeLessThanOrEqual(3.5 * roundMs);
  });

  it('never follow one another faster than the period, and differ from one operator to the next', () => {
    const periods = [1, 2, 3, 4, 5].map((seed) => {
      const { clock, rounds } = start(seed);
      return rounds.nextMs(5 * minute) - clock.monotonicMs();
    });
    expect(Math.min(...periods)).toBeGreaterThanOrEqual(5 * minute);
    expect(Math.max(...periods)).toBeLessThanOrEqual(5.5 * minute);
    expect(new Set(periods).size).toBe(5);
  });

  it('do not run what is not due', async () => {
    const { clock, rounds } = start(3);
    const due = rounds.nextMs(15 * minute);
    await clock.advance(10 * minute);
    expect(rounds.isNow(due)).toBe(false);
  });
});
