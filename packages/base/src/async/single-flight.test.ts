import { expect, it } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('lets all callers that ask for a running operation share its outcome, but only while it runs', async () => {
  const flights = createSingleFlight<number>();
  let runs = 0;
  const ask = () =>
    flights.run('a', async () => {
      await turn();
      return ++runs;
    });
  const all = Promise.all([ask(), ask(), ask()]);
  expect(flights.isRunning('a')).toBe(true);
  expect(await all).toEqual([1, 1, 1]);
  expect(flights.isRunning('a')).toBe(false);
  expect(await ask()).toBe(2);
});

it('refuses another operation of the same key, and accepts it when the first has ended', async () => {
  const flights = createSingleFlight<string>();
  const ask = (fingerprint: string) =>
    flights.run('a', async () => fingerprint, { fingerprint, onOther: () => new Error('busy') });
  const first = ask('small');
  await expect(ask('large')).rejects.toThrow('busy');
  expect(await first).toBe('small');
  expect(await ask('large')).toBe('large');
});

it('forgets a failure', async () => {
  const flights = createSingleFlight<string>();
  await expect(flights.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await flights.run('a', async () => 'yes')).toBe('yes');
});
