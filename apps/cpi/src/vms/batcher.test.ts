import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

const setup = (run: (items: readonly number[]) => Promise<readonly string[]>) => {
  const clock = createVirtualClock();
  const batches: (readonly number[])[] = [];
  const batcher = createBatcher<number, string>({
    clock,
    windowMs: 10,
    maxItems: 3,
    run: (items) => {
      batches.push(items);
      return run(items);
    },
  });
  return { clock, batches, batcher };
};
const named = async (items: readonly number[]) => items.map((item) => `result ${item}`);

describe('createBatcher', () => {
  test('joins what comes within the window and gives each its own result', async () => {
    const { clock, batches, batcher } = setup(named);
    const results = Promise.all([batcher.add(1), batcher.add(2)]);
    await clock.advance(10);
    expect(await results).toEqual(['result 1', 'result 2']);
    expect(batches).toEqual([[1, 2]]);
  });

  test('starts a full batch at once and the rest after the window', async () => {
    const { clock, batches, batcher } = setup(named);
    const results = Promise.all([1, 2, 3, 4].map((item) => batcher.add(item)));
    expect(batches).toEqual([[1, 2, 3]]);
    await clock.advance(10);
    expect(batches).toEqual([[1, 2, 3], [4]]);
    expect(await results).toHaveLength(4);
    expect(clock.pending()).toBe(0);
  });

  test('fails all of a batch with its error, and none of the next', async () => {
    let broken = true;
    const { clock, batcher } = setup(async (items) => {
      if (broken) throw new Error('down');
      return named(items);
    });
    const failed = Promise.allSettled([batcher.add(1), batcher.add(2)]);
    await clock.advance(10);
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    const next = batcher.add(3);
    await clock.advance(10);
    expect(await next).toBe('result 3');
  });
});
