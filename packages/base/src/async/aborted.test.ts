import { expect, it } from 'vitest';
import { aborted } from './aborted.ts';

it('resolves when the signal is aborted, and at once if it is already', async () => {
  const stop = new AbortController();
  const waiting = aborted(stop.signal);
  stop.abort(new Error('not told'));
  expect(await waiting).toBeUndefined();
  expect(await aborted(stop.signal)).toBeUndefined();
});
