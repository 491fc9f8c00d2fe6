import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { onAbort } from './on-abort.ts';

it('calls the listener once, and not after it was removed', () => {
  const stop = new AbortController();
  const heard: string[] = [];
  onAbort(stop.signal, () => heard.push('kept'));
  const off = onAbort(stop.signal, () => heard.push('taken off'));
  off();
  stop.abort();
  expect(heard).toEqual(['kept']);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

it('calls a listener at once if the signal is already aborted', () => {
  const heard: string[] = [];
  onAbort(AbortSignal.abort(), () => heard.push('late'));
  expect(heard).toEqual(['late']);
});

it('does nothing without a signal', () => {
  expect(onAbort(undefined, () => expect.unreachable())).not.toThrow();
});

it('allows many listeners without a warning from Node', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const stop = new AbortController();
  for (let one = 0; one < 50; one += 1) onAbort(stop.signal, () => {});
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
