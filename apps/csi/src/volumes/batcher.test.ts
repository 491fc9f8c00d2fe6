import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';

const setUp = (send: (items: readonly number[]) => Promise<readonly string[]>) => {
  const clock = createVirtualClock();
  const calls: number[][] = [];
  const add = createBatcher<number, string>({
    send: (items) => {
      calls.push([...items]);
      return send(items);
    },
    clock,
    maxItems: 3,
  });
  return { clock, calls, add };
};
const echo = async (items: readonly number[]) => items.map(String);

describe('a batch', () => {
  it('holds what comes within its window, and answers each', async () => {
    const { clock, calls, add } = setUp(echo);
    const results = Promise.all([add(1), add(2)]);
    await clock.advance(5);
    expect(await results).toEqual(['1', '2']);
    expect(calls).toEqual([[1, 2]]);
  });

  it('is sent at once when it is full; the rest goes into the next', async () => {
    const { clock, calls, add } = setUp(echo);
    const results = Promise.all([1, 2, 3, 4].map(add));
    await clock.advance(5);
    expect(await results).toHaveLength(4);
    expect(calls).toEqual([[1, 2, 3], [4]]);
  });

  it('fails as a whole when the call fails', async () => {
    const { clock, add } = setUp(() => Promise.reject(new Error('no')));
    const results = Promise.allSettled([add(1), add(2)]);
    await clock.advance(5);
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
