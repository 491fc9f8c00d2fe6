import { expect, it } from 'vitest';
import { aborted } from './aborted.ts';
import { runTogether } from './run-together.ts';

it('ends when the signal is aborted and all tasks have stopped', async () => {
  const stop = new AbortController();
  let stopped = 0;
  const task = async (signal: AbortSignal) => {
    await aborted(signal);
    stopped++;
  };
  const running = runTogether(stop.signal, [task, task]);
  stop.abort(new Error('enough'));
  await running;
  expect(stopped).toBe(2);
});

it('stops the other tasks when one fails, and reports only that failure', async () => {
  const { signal } = new AbortController();
  const failing = () => Promise.reject(new Error('no'));
  const sulking = async (own: AbortSignal) => {
    await aborted(own);
    throw new Error('only because it was told to stop');
  };
  await expect(runTogether(signal, [sulking, failing])).rejects.toThrow('no');
});

it('ends when all tasks have ended', async () => {
  await runTogether(new AbortController().signal, [async () => {}, async () => {}]);
});
