import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createVolumeLock } from './volume-lock.ts';

const never = () => new Promise<never>(() => {});
const busy = expect.objectContaining({ code: 'VolumeBusy', message: expect.stringContaining('volume v') });

describe('operations on one volume', () => {
  it('follow each other', async () => {
    const lock = createVolumeLock({ clock: createVirtualClock() });
    const order: string[] = [];
    const turn = (name: string) =>
      lock.run('v', async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
      });
    await Promise.all([turn('a'), turn('b'), turn('c')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('are told to come again when one does not end', async () => {
    const clock = createVirtualClock();
    const lock = createVolumeLock({ clock });
    void lock.run('v', never);
    const second = lock.run('v', async () => 'done').catch((error: unknown) => error);
    await clock.advance(3_000);
    expect(await second).toEqual(busy);
    expect(await lock.run('other', async () => 'done')).toBe('done');
  });

  it('are told so at once when many wait', async () => {
    const lock = createVolumeLock({ clock: createVirtualClock(), maxWaiting: 2 });
    for (const _ of [1, 2, 3]) void lock.run('v', never);
    await expect(lock.run('v', never)).rejects.toEqual(busy);
  });

  it('do not wait for one that failed', async () => {
    const lock = createVolumeLock({ clock: createVirtualClock() });
    await expect(lock.run('v', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await lock.run('v', async () => 'done')).toBe('done');
  });
});
