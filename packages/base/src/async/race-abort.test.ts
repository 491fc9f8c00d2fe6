import { expect, it } from 'vitest';
import { raceAbort } from './race-abort.ts';

const never = () => new Promise<never>(() => {});

it('returns the outcome of the work, success or failure', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(Promise.resolve(1), signal)).toBe(1);
  await expect(raceAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  expect(await raceAbort(Promise.resolve(1), undefined)).toBe(1);
});

it('ends with the reason of the signal, also if it was aborted before', async () => {
  const stop = new AbortController();
  const waiting = raceAbort(never(), stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(raceAbort(never(), stop.signal)).rejects.toThrow('enough');
});

it('leaves no late failure of the work unhandled', async () => {
  const gone = AbortSignal.abort(new Error('enough'));
  await expect(raceAbort(Promise.reject(new Error('late')), gone)).rejects.toThrow('enough');
  const stop = new AbortController();
  const late = raceAbort(new Promise((_resolve, reject) => setImmediate(() => reject(new Error('late')))), stop.signal);
  stop.abort(new Error('enough'));
  await expect(late).rejects.toThrow('enough');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
});
