import { expect, it } from 'vitest';
import { createKeyedLock } from './keyed-lock.ts';

/** An operation that ends when the test calls for it. */
const pending = (log: string[], name: string) => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end: () => end(),
    run: async () => {
      log.push(`${name} begins`);
      await ended;
      log.push(`${name} ends`);
      return name;
    },
  };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('runs operations of one key one after the other, and those of different keys at once', async () => {
  const lock = createKeyedLock();
  const log: string[] = [];
  const [first, second, other] = ['first', 'second', 'other'].map((name) => pending(log, name));
  const all = [
    lock.run('a', first?.run ?? turn),
    lock.run('a', second?.run ?? turn),
    lock.run('b', other?.run ?? turn),
  ];
  await turn();
  expect(log).toEqual(['first begins', 'other begins']);
  for (const one of [first, second, other]) one?.end();
  await Promise.all(all);
  expect(log.indexOf('first ends')).toBeLessThan(log.indexOf('second begins'));
});

it('lets callers with the same request share the outcome, but only while it runs', async () => {
  const lock = createKeyedLock();
  let runs = 0;
  const once = () =>
    lock.join('volume', 'attach node-1', async () => {
      await turn();
      return ++runs;
    });
  expect(await Promise.all([once(), once(), once()])).toEqual([1, 1, 1]);
  expect(await once()).toBe(2);
});

it('keeps different operations of one key apart, also after a failure', async () => {
  const lock = createKeyedLock();
  const failing = lock.join('volume', 'attach', () => Promise.reject(new Error('no')));
  const next = lock.join('volume', 'detach', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
