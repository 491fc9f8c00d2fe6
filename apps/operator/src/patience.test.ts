import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createPatience } from './patience.ts';

const passesWithin = async (minutes: number, happens: (patience: ReturnType<typeof createPatience>) => void) => {
  const clock = createVirtualClock();
  const patience = createPatience(clock);
  let looks = 0;
  for (const endMs = clock.monotonicMs() + minutes * 60_000; clock.monotonicMs() < endMs; looks++) {
    happens(patience);
    await clock.advance(patience.waitMs());
  }
  return looks;
};

describe('patience', () => {
  it('looks less and less often at what does not get on', async () => {
    expect(await passesWithin(10, () => {})).toBe(15);
    expect((await passesWithin(70, () => {})) - (await passesWithin(10, () => {}))).toBe(60);
  });

  it('looks promptly again at what got on', async () => {
    expect(await passesWithin(10, (patience) => patience.forgive())).toBe(40);
  });

  it('has forgotten after ten minutes', async () => {
    const clock = createVirtualClock();
    const patience = createPatience(clock);
    for (let observe = 0; observe < 20; observe++) patience.waitMs();
    await clock.advance(9 * 60_000);
    expect(patience.waitMs()).toBe(60_000);
    await clock.advance(10 * 60_000);
    expect(patience.waitMs()).toBe(15_000);
  });
});
