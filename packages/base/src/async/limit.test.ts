import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLimit } from './limit.ts';

test('runs no more than the limit at once, in order, whether tasks fail or not', async () => {
  const limited = createLimit(3);
  const started: number[] = [];
  let [running, most] = [0, 0];
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      limited(async () => {
        started.push(i);
        most = Math.max(most, ++running);
        await setImmediate();
        running--;
        if (i % 4 === 0) throw new Error('no');
        return i;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(started).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(5);
});
