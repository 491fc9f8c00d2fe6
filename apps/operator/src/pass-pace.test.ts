import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createPassPace } from './pass-pace.ts';
import { createWaker } from './waker.ts';

/** Each look becomes a pass at once. */
const many = (places: number) => {
  const clock = createVirtualClock();
  const passesMs: number[] = [];
  const pace = createPassPace(clock, () => {
    passesMs.push(clock.monotonicMs());
    pace.spend();
  });
  const wakers = Array.from({ length: places }, () => createWaker(clock, pace.observe));
  const changes = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      for (const { wake } of wakers) wake();
      await clock.advance(1_000);
    }
  };
  return { clock, passesMs, pace, wakers, changes };
};

describe('changes in many places', () => {
  it('cost a look a minute at last, in however many places', async () => {
    const { passesMs, changes } = many(10);
    await changes(600);
    const before = passesMs.length;
    await changes(900);
    expect(passesMs.length - before).toBe(15);
  });

  it('cost no more if passes begin for other reasons, too', async () => {
    const { pace, changes } = many(10);
    await changes(600);
    pace.spend();
    expect(pace.waitMs()).toBe(60_000);
    pace.spend();
    expect(pace.waitMs()).toBe(60_000);
  });

  it('cost one look a minute, whether a change or the time that has passed asks for it', async () => {
    const { clock, passesMs, pace, changes } = many(3);
    await changes(600);
    const atDue = () => {
      pace.spend();
      passesMs.push(clock.monotonicMs());
      clock.schedule(atDue, pace.waitMs());
    };
    atDue();
    const before = passesMs.length;
    await changes(600);
    expect(passesMs.length - before).toBeLessThanOrEqual(11);
  });

  it('are all looked at, the last one too', async () => {
    const { clock, passesMs, wakers, changes } = many(3);
    await changes(600);
    for (const { wake } of wakers) wake();
    const lastMs = clock.monotonicMs();
    await clock.advance(120_000);
    expect(passesMs.at(-1)).toBeGreaterThanOrEqual(lastMs);
  });

  it('are looked at promptly after a rest, and when the work gets on', async () => {
    const { clock, passesMs, pace, changes } = many(3);
    const promptly = async () => {
      const before = passesMs.length;
      pace.observe(100);
      await clock.advance(100);
      return passesMs.length - before;
    };
    await changes(600);
    await clock.advance(1_800_000);
    expect(await promptly()).toBe(1);
    pace.stop();
    for (let pass = 0; pass < 20; pass++) pace.spend();
    expect(await promptly()).toBe(0);
    pace.stop();
    pace.forgive();
    expect(await promptly()).toBe(1);
  });

  it('leave a look a minute to what is looked at again and again by itself, at whatever distances', async () => {
    const { clock, passesMs, pace } = many(0);
    const look = () => {
      pace.spend();
      passesMs.push(clock.monotonicMs());
    };
    // Three things that fail are checked again every 45 seconds each, not at the same time.
    const again = async () => {
      for (const gapMs of [15_000, 12_000, 18_000]) {
        look();
        await clock.advance(Math.max(gapMs, pace.lookWaitMs()));
      }
    };
    for (let count = 0; count < 40; count++) await again();
    const lastMs = clock.monotonicMs();
    expect(passesMs.filter((atMs) => atMs > lastMs - 600_000).length).toBeLessThanOrEqual(10);
    // What somebody has changed is looked at all the same.
    expect(pace.waitMs()).toBe(0);
  });

  it('wake nobody after the end', async () => {
    const { clock, passesMs, pace, changes } = many(3);
    await changes(600);
    pace.stop();
    const before = passesMs.length;
    await clock.advance(600_000);
    expect([passesMs.length - before, clock.pending()]).toEqual([0, 0]);
  });
});
