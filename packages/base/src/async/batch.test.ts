import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../virtual-clock.ts';
import { createBatch } from './batch.ts';

const setUp = (send: (items: readonly number[]) => Promise<readonly string[]>) => {
  const clock = createVirtualClock();
  const calls: number[][] = [];
  const add = createBatch<number, string>({
    send: (items) => {
      calls.push([...items]);
      return send(items);
    },
    clock,
    windowMs: 5,
    maxItems: 3,
  });
  return { clock, calls, add };
};
const echo = async (items: readonly number[]) => items.map(String);

describe('a batch', () => {
  it('collects the items of its window, and gives each its result', async () => {
    const { clock, calls, add } = setUp(echo);
    const results = Promise.all([add(1), add(2)]);
    await clock.advance(5);
    expect(await results).toEqual(['1', '2']);
    expect(calls).toEqual([[1, 2]]);
  });

  it('is sent at once when it is full; the rest goes into the next', async () => {
    const { clock, calls, add } = setUp(echo);
    const results = Promise.all([1, 2, 3, 4].map(add));
    expect(calls).toEqual([[1, 2, 3]]);
    await clock.advance(5);
    expect(await results).toHaveLength(4);
    expect(calls).toEqual([[1, 2, 3], [4]]);
    expect(clock.pending()).toBe(0);
  });

  it('fails as a whole when the call fails, and the next one does not', async () => {
    let broken = true;
    const { clock, add } = setUp(async (items) => {
      if (broken) throw new Error('no');
      return echo(items);
    });
    const results = Promise.allSettled([add(1), add(2)]);
    await clock.advance(5);
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    const next = add(3);
    await clock.advance(5);
    expect(await next).toBe('3');
  });

  it('fails as a whole when a result is missing, because it is unknown whose', async () => {
    const { clock, add } = setUp(async () => ['1']);
    const results = Promise.allSettled([add(1), add(2)]);
    await clock.advance(5);
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
