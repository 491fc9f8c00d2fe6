import { expect, it } from 'vitest';
import { createVirtualClock } from '../virtual-clock.ts';
import { waitUntil } from './wait-until.ts';

const setUp = () => {
  const clock = createVirtualClock();
  const stop = new AbortController();
  const options = { what: 'a pod', remedy: 'Look.', timeoutMs: 1_000, clock, signal: stop.signal };
  return { clock, stop, options };
};

it('asks until there is a result', async () => {
  const { clock, options } = setUp();
  let asked = 0;
  const waiting = waitUntil(async () => (++asked < 3 ? undefined : 'here'), options);
  await clock.advance(200);
  expect(await waiting).toBe('here');
  expect(asked).toBe(3);
});

it('reports at the time limit what it waited for and what to do', async () => {
  const { clock, options } = setUp();
  const waiting = waitUntil(async () => false, { ...options, everyMs: 300 });
  const reported = expect(waiting).rejects.toMatchObject({
    code: 'DeadlineExceeded',
    message: 'timed out after 1 s waiting for a pod',
    remedy: 'Look.',
  });
  await clock.advance(1_300);
  await reported;
});

it('ends at once when aborted', async () => {
  const { stop, options } = setUp();
  const waiting = waitUntil(async () => false, options);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});
