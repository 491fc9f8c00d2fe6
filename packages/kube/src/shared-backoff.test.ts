import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createSharedBackoff } from './shared-backoff.ts';

const setUp = (followers: number) => {
  const clock = createVirtualClock();
  const backoff = createSharedBackoff({ clock, random: createSeededRandom(1), watchEveryMs: () => 60_000 });
  const stop = new AbortController();
  const server = { isUp: false, isUpFor: (_follower: number) => true };
  const tries: { readonly follower: number; readonly atMs: number }[] = [];
  const following = new Set<number>();
  const follow = async (follower: number) => {
    for (let failed = false; !stop.signal.aborted; failed = true) {
      tries.push({ follower, atMs: clock.monotonicMs() });
      if (server.isUp && server.isUpFor(follower)) {
        following.add(follower);
        if (failed) backoff.recovered();
        return;
      }
      await backoff.wait(stop.signal).catch(() => {});
    }
  };
  const running = Array.from({ length: followers }, (_, follower) => follow(follower));
  return { clock, backoff, server, tries, following, stop, running };
};

describe('twenty informers of one server', () => {
  test('ask about twice a minute together while it is away', async () => {
    const { clock, tries } = setUp(20);
    await clock.advance(10 * 60_000);
    const before = tries.length;
    await clock.advance(60 * 60_000);
    expect((tries.length - before) / 60).toBeLessThanOrEqual(5);
    expect((tries.length - before) / 60).toBeGreaterThanOrEqual(2);
  });

  test('all continue as soon as one succeeds', async () => {
    const { clock, server, following } = setUp(20);
    await clock.advance(60 * 60_000);
    server.isUp = true;
    await clock.advance(30_000);
    expect(following.size).toBe(20);
  });

  test('continue although one fails for a reason of its own, however often it asks', async () => {
    const { clock, server, following } = setUp(20);
    server.isUpFor = (follower) => follower !== 0;
    await clock.advance(60 * 60_000);
    server.isUp = true;
    await clock.advance(61_000);
    expect(following.size).toBe(19);
  });

  test('all try at once when one is in a hurry, even if it also waits for another reason', async () => {
    const { clock, backoff, tries, stop } = setUp(20);
    let isOver = false;
    void backoff.pause(3_600_000, stop.signal).then(() => {
      isOver = true;
    });
    await clock.advance(300_000);
    const before = tries.length;
    backoff.hurry();
    await clock.advance(0);
    expect(tries.length - before).toBe(20);
    expect(isOver).toBe(true);
  });

  test('end when they are aborted, and leave no timer', async () => {
    const { clock, stop, running } = setUp(20);
    await clock.advance(60_000);
    stop.abort();
    await Promise.all(running);
    await clock.advance(30_000);
    expect(clock.pending()).toBe(0);
  });

  test('ask one after the other from the first moment, and soon', async () => {
    const { clock, tries } = setUp(20);
    await clock.advance(5_000);
    const [first, ...others] = tries.slice(20);
    expect(first?.atMs).toBeLessThanOrEqual(800);
    expect(others.length).toBeGreaterThanOrEqual(2);
    expect(new Set(tries.slice(20).map(({ follower }) => follower)).size).toBe(others.length + 1);
  });
});
