import { HttpFailure } from '@vdo/base/http-failure';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { afterEach, describe, expect, test } from 'vitest';
import { createKubeClient } from './create-client.ts';
import { createInformer } from './create-informer.ts';
import { createModelServer } from './testing/model-server.ts';
import { type ConfigMap, configMaps } from './types/core.ts';

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

const setUp = async (seed = 1) => {
  const clock = createVirtualClock();
  const server = createModelServer(() => new HttpFailure('refused', 'connect ECONNREFUSED'));
  const requests: string[] = [];
  const client = createKubeClient({
    clock,
    transport: async (request) => {
      const query = new URL(request.path, 'http://model').searchParams;
      requests.push(query.get('watch') === 'true' ? `watch from ${query.get('resourceVersion')}` : 'list');
      return server.transport(request);
    },
  });
  const random = createSeededRandom(seed);
  const informer = createInformer({ client, resource: configMaps, clock, random, logger: silentLogger });
  const controller = new AbortController();
  const start = async () => {
    const done = informer.run(controller.signal);
    running.push(() => {
      controller.abort();
      return done;
    });
    await clock.advance(0);
  };
  /** Reports when the wait ended: `reached`, or why not. */
  const waitFor = (version: string, signal?: AbortSignal) => {
    const reported: string[] = [];
    informer.reached(version, signal ? { signal } : {}).then(
      () => reported.push('reached'),
      (error) => reported.push(error.message),
    );
    return reported;
  };
  return { clock, server, informer, requests, start, waitFor };
};

describe('a cache has reached a version', () => {
  test('by its first list', async () => {
    const { server, informer, start, waitFor } = await setUp();
    server.put('x', '1');
    const reported = waitFor(server.version());
    expect(informer.version()).toBeUndefined();
    await start();
    expect(reported).toEqual(['reached']);
    expect(informer.version()).toBe(server.version());
  });

  test('by an event, not sooner, and at once if it has already seen the version', async () => {
    const { clock, server, start, waitFor } = await setUp();
    await start();
    const next = waitFor(String(Number(server.version()) + 1));
    await clock.advance(60_000);
    expect(next).toEqual([]);
    server.put('x', '1');
    await clock.advance(0);
    expect(next).toEqual(['reached']);
    const past = waitFor('3');
    await clock.advance(0);
    expect(past).toEqual(['reached']);
  });

  test('by a bookmark', async () => {
    const { clock, server, start, waitFor } = await setUp();
    await start();
    server.hangWatches();
    server.put('x', '1');
    server.dropWatches();
    const reported = waitFor(server.version());
    await clock.advance(2_000);
    server.bookmark();
    await clock.advance(0);
    expect(reported).toEqual(['reached']);
  });

  test('never by a version that is not an integer', async () => {
    const { clock, start, waitFor } = await setUp();
    const before = waitFor('today');
    await start();
    const after = waitFor('');
    await clock.advance(0);
    expect(before[0]).toContain('"today" is not an integer');
    expect(after[0]).toContain('"" is not an integer');
  });

  test('or the wait ends with its signal', async () => {
    const { clock, start, waitFor } = await setUp();
    await start();
    const controller = new AbortController();
    const reported = waitFor('999', controller.signal);
    controller.abort(new Error('enough'));
    await clock.advance(0);
    expect(reported).toEqual(['enough']);
    expect(waitFor('1', controller.signal)).toEqual([]);
  });
});

describe('a hint that the server is ahead', () => {
  test('repairs a hung watch at once, from its version and without a list', async () => {
    const { clock, server, informer, requests, start, waitFor } = await setUp();
    server.put('x', '1');
    await start();
    await clock.advance(10_000);
    const known = informer.version();
    server.hangWatches();
    server.put('x', '2');
    const reported = waitFor(server.version());
    await clock.advance(5_000);
    expect(reported).toEqual([]);
    informer.doubt();
    await clock.advance(0);
    expect(reported).toEqual(['reached']);
    expect(informer.get('a/x')?.data).toEqual({ value: '2' });
    expect(requests).toEqual(['list', `watch from ${known}`, `watch from ${known}`]);
    expect(server.watches()).toBe(1);
    expect(informer.lastError()).toBeUndefined();
  });

  test('makes the server report its version if no object has changed', async () => {
    const { clock, server, informer, start, waitFor } = await setUp();
    await start();
    await clock.advance(10_000);
    server.hangWatches();
    server.put('x', '1');
    server.put('x', undefined);
    const reported = waitFor(server.version());
    informer.doubt();
    await clock.advance(0);
    expect(reported).toEqual(['reached']);
  });

  test('breaks no stream that reports something', async () => {
    const { clock, server, informer, requests, start } = await setUp();
    await start();
    await clock.advance(10_000);
    for (let tenths = 0; tenths < 100; tenths += 4) {
      server.put('x', String(tenths));
      await clock.advance(400);
      informer.doubt();
    }
    expect(requests).toHaveLength(2);
  });

  test.each([
    ['that answers is broken every other second at most', false, 10],
    ['that stays silent gets four seconds each time', true, 5],
  ])('a stream %s', async (_, isHung, expected) => {
    const { clock, server, informer, requests, start } = await setUp();
    await start();
    await clock.advance(10_000);
    if (isHung) server.muteBookmarks();
    for (let tenths = 0; tenths < 200; tenths++) {
      informer.doubt();
      await clock.advance(100);
    }
    expect(requests).toHaveLength(2 + expected);
    expect(requests.filter((request) => request === 'list')).toHaveLength(1);
  });

  test('ends the wait after a failure', async () => {
    const { clock, server, informer, start, waitFor } = await setUp();
    await start();
    server.faults(() => 'refused');
    server.dropWatches();
    await clock.advance(600_000);
    server.faults(() => undefined);
    server.put('x', '1');
    const reported = waitFor(server.version());
    informer.doubt();
    await clock.advance(0);
    expect(reported).toEqual(['reached']);
  });

  test('lists again if the server has other versions', async () => {
    const { clock, informer, requests, start } = await setUp();
    await start();
    await clock.advance(10_000);
    informer.doubt({ relist: true });
    await clock.advance(0);
    expect(requests.slice(-2)).toEqual(['list', `watch from ${informer.version()}`]);
  });
});

describe('when a cache has reached a version, it equals the state of the server at that version or a newer one', () => {
  const seeds = Array.from({ length: 100 }, (_, seed) => seed + 1);
  test.each(seeds)('seed %i', async (seed) => {
    const random = createSeededRandom(seed);
    const { clock, server, informer, start } = await setUp(seed);
    const faultRate = random.next() * 0.4;
    server.faults(() => (random.next() < faultRate ? 'error-500' : undefined));
    await start();
    const disturbances = [
      () => server.dropWatches(),
      () => server.dropWatches({ midLine: true }),
      () => server.hangWatches(),
      () => server.hangWatches(),
      () => server.compact(),
      () => server.bookmark(),
      () => informer.doubt(),
      () => informer.doubt({ relist: true }),
    ];
    const versions = (objects: Iterable<ConfigMap>) =>
      [...objects].map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).sort();
    const wrong: unknown[] = [];
    let asked = 0;
    let answered = 0;
    const ask = async () => {
      const wanted = server.version();
      asked += 1;
      await informer.reached(wanted);
      const at = informer.version() ?? 'none';
      answered += 1;
      const [seen, expected] = [versions(informer.list()), versions(server.stateAt(at).values())];
      if (Number(at) < Number(wanted) || seen.join() !== expected.join()) wrong.push({ wanted, at, seen, expected });
    };
    for (let step = 0; step < 100; step++) {
      for (let n = Math.floor(random.next() * 4); n > 0; n--)
        server.put(`o${Math.floor(random.next() * 20)}`, random.next() < 0.3 ? undefined : `v${step}`);
      if (random.next() < 0.4) void ask();
      if (random.next() < 0.3) disturbances[Math.floor(random.next() * disturbances.length)]?.();
      await clock.advance(random.next() < 0.5 ? 0 : random.next() * 3_000);
    }
    server.faults(() => undefined);
    for (let second = 0; second < 30; second += 5) {
      informer.doubt();
      await clock.advance(5_000);
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(20);
    // Half a minute after the last problem nobody waits any more.
    expect(answered).toBe(asked);
  });
});
