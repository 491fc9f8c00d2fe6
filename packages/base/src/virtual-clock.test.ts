import { describe, expect, it } from 'vitest';
import { deadline, sleep } from './clock.ts';
import { createVirtualClock } from './virtual-clock.ts';

describe('virtual clock', () => {
  it('runs timers in time order and, at equal times, in the order of scheduling', async () => {
    const clock = createVirtualClock();
    const seen: string[] = [];
    clock.schedule(() => seen.push('late'), 20);
    clock.schedule(() => seen.push('first'), 10);
    clock.schedule(() => seen.push('second'), 10);
    await clock.advance(15);
    expect(seen).toEqual(['first', 'second']);
    await clock.advance(5);
    expect(seen).toEqual(['first', 'second', 'late']);
  });

  it('sees timers that a timer schedules within the same advance', async () => {
    const clock = createVirtualClock();
    const seen: number[] = [];
    const tick = () => {
      seen.push(clock.monotonicMs());
      if (seen.length < 3) clock.schedule(tick, 10);
    };
    clock.schedule(tick, 10);
    await clock.advance(100);
    expect(seen).toEqual([10, 20, 30]);
  });

  it('advances by the smallest fraction of a millisecond, which the sum would lose', async () => {
    const clock = createVirtualClock();
    await clock.advance(2_000_000);
    let observations = 0;
    const observe = () => {
      observations += 1;
      if (observations < 10) clock.schedule(observe, 1e-10);
    };
    clock.schedule(observe, 1e-10);
    await clock.advance(5);
    expect(observations).toBe(5);
  });

  it('wakes a sleeper at its time, and an aborted one at once', async () => {
    const clock = createVirtualClock();
    let awake = false;
    const sleeping = sleep(clock, 1_000).then(() => {
      awake = true;
    });
    await clock.advance(999);
    expect(awake).toBe(false);
    await clock.advance(1);
    await sleeping;
    const controller = new AbortController();
    const aborted = sleep(clock, 1_000, { signal: controller.signal });
    controller.abort(new Error('stopping'));
    await expect(aborted).rejects.toThrow('stopping');
    expect(clock.pending()).toBe(0);
  });

  it('fires a deadline with its own reason, and leaves no timer when disposed', async () => {
    const clock = createVirtualClock();
    const due = deadline(clock, 50, { reason: () => new Error('took too long') });
    await clock.advance(50);
    expect(due.signal.reason).toEqual(new Error('took too long'));
    deadline(clock, 50, { reason: () => new Error('x') }).dispose();
    expect(clock.pending()).toBe(0);
  });
});
