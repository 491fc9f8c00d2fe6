import { describe, expect, it } from 'vitest';
import { createSeededRandom } from './random.ts';
import { backoffMs, retry } from './retry.ts';
import { VdoError } from './vdo-error.ts';
import { createVirtualClock } from './virtual-clock.ts';

const busy = () => new VdoError({ code: 'VCenterBusy', message: 'busy', remedy: 'wait' });
const rejected = () => new VdoError({ code: 'VCenterLoginRejected', message: 'no', remedy: 'fix' });

const failing = (times: number, error: () => Error) => {
  const calls: number[] = [];
  return { calls, run: async (attempt: number) => (calls.push(attempt) <= times ? Promise.reject(error()) : 'done') };
};

describe('retry', () => {
  it('repeats a temporary failure until the operation succeeds', async () => {
    const clock = createVirtualClock();
    const operation = failing(2, busy);
    const result = retry(operation.run, { clock, random: createSeededRandom(1) });
    await clock.advance(60_000);
    expect(await result).toBe('done');
    expect(operation.calls).toEqual([1, 2, 3]);
  });

  it('does not repeat a failure that only a person can fix', async () => {
    const operation = failing(1, rejected);
    await expect(retry(operation.run, { clock: createVirtualClock(), random: createSeededRandom(1) })).rejects.toThrow(
      'no',
    );
    expect(operation.calls).toEqual([1]);
  });

  it('gives up after the given attempts with the last error', async () => {
    const clock = createVirtualClock();
    const operation = failing(9, busy);
    const result = expect(retry(operation.run, { clock, random: createSeededRandom(1), attempts: 3 })).rejects.toThrow(
      'busy',
    );
    await clock.advance(60_000);
    await result;
    expect(operation.calls).toHaveLength(3);
  });

  it('never starts another attempt after an abort', async () => {
    const clock = createVirtualClock();
    const controller = new AbortController();
    const operation = failing(9, busy);
    const result = expect(
      retry(operation.run, { clock, random: createSeededRandom(1), signal: controller.signal }),
    ).rejects.toThrow('enough');
    await clock.advance(0);
    controller.abort(new Error('enough'));
    await result;
    expect(operation.calls).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });

  it('increases the delay up to the maximum, with jitter in its upper half', () => {
    const random = createSeededRandom(7);
    const delays = Array.from({ length: 12 }, (_, i) => backoffMs(i + 1, random, { initialMs: 100, maxMs: 1_000 }));
    for (const [i, delay] of delays.entries()) {
      const ceiling = Math.min(1_000, 100 * 2 ** i);
      expect(delay).toBeGreaterThanOrEqual(ceiling / 2);
      expect(delay).toBeLessThanOrEqual(ceiling);
    }
  });
});
