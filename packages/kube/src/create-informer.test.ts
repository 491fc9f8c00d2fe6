import { HttpFailure } from '@vdo/base/http-failure';
import { createLogger, silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { afterEach, describe, expect, test } from 'vitest';
import { createKubeClient } from './create-client.ts';
import { createInformer, type InformerOptions } from './create-informer.ts';
import type { Change } from './informer.ts';
import { createModelServer } from './testing/model-server.ts';
import { type ConfigMap, configMaps } from './types/core.ts';

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});

const describeChange = ({ type, object }: Change<ConfigMap>) =>
  `${type} ${object.metadata.name} ${object.data?.['value'] ?? ''}`.trim();

const setUp = (options: Partial<InformerOptions<ConfigMap>> = {}, seed = 1) => {
  const clock = createVirtualClock();
  const server = createModelServer(() => new HttpFailure('refused', 'connect ECONNREFUSED'));
  const client = createKubeClient({ transport: server.transport, clock });
  const informer = createInformer({
    client,
    resource: configMaps,
    clock,
    random: createSeededRandom(seed),
    logger: silentLogger,
    ...options,
  });
  const changes: string[] = [];
  informer.onChange((change) => changes.push(describeChange(change)));
  const controller = new AbortController();
  const start = async () => {
    const done = informer.run(controller.signal);
    running.push({
      stop: () => {
        controller.abort();
        return done;
      },
    });
    await clock.advance(0);
  };
  return { clock, server, informer, changes, start, controller };
};

describe('an informer', () => {
  test('lists, then follows', async () => {
    const { clock, server, informer, changes, start } = setUp();
    server.put('x', '1');
    expect(informer.hasSynced()).toBe(false);
    await start();
    await informer.waitForSync();
    server.put('x', '2');
    server.put('y', '1');
    server.put('x', undefined);
    await clock.advance(0);
    expect(changes).toEqual(['added x 1', 'updated x 2', 'added y 1', 'deleted x 2']);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['y']);
    expect(informer.get('a/y')?.data).toEqual({ value: '1' });
  });

  test('resumes a broken watch where it was, without listing', async () => {
    const { clock, server, changes, start } = setUp();
    await start();
    server.put('x', '1');
    await clock.advance(0);
    server.dropWatches({ midLine: true });
    server.put('x', '2');
    server.put('z', '1');
    server.put('z', undefined);
    await clock.advance(2_000);
    expect(changes).toEqual(['added x 1', 'updated x 2', 'added z 1', 'deleted z 1']);
  });

  test('lists again what the server has forgotten and reports only the differences', async () => {
    const { clock, server, changes, start } = setUp();
    for (let i = 0; i < 20; i++) server.put(`same${i}`, '1');
    for (const name of ['changed', 'gone', 'reborn']) server.put(name, '1');
    await start();
    await clock.advance(2_000);
    changes.length = 0;
    server.dropWatches();
    server.put('changed', '2');
    server.put('gone', undefined);
    server.put('reborn', undefined);
    server.put('reborn', '2');
    server.compact();
    await clock.advance(1_500);
    expect(changes).toEqual(['deleted gone 1', 'updated changed 2', 'deleted reborn 1', 'added reborn 2']);
  });

  test('never gives up: an outage of an hour is reported when it begins and ends with the current state', async () => {
    const reported: string[] = [];
    const logger = createLogger({ name: 'informer', write: (line) => void reported.push(JSON.parse(line).msg) });
    const { clock, server, informer, start } = setUp({ logger });
    await start();
    server.faults(() => 'refused');
    server.dropWatches();
    await clock.advance(3_600_000);
    expect(informer.lastError()).toMatchObject({ code: 'KubeUnreachable' });
    server.put('x', '1');
    server.faults(() => undefined);
    await clock.advance(60_000);
    expect(informer.list()).toHaveLength(1);
    expect(informer.lastError()).toBeUndefined();
    // The watch that broke, then the server that does not answer.
    const failed = 'cannot watch the API server, retrying';
    expect(reported).toEqual([failed, failed, 'watching the API server again']);
  });

  test('lists again when watching fails repeatedly, because the server may now have other versions', async () => {
    const { clock, server, changes, start } = setUp();
    server.put('x', '1');
    await start();
    // The server was restored from a backup: the latest version that is known here never comes.
    let requests = 0;
    server.faults(() => (++requests <= 3 ? 'error-500' : undefined));
    server.dropWatches();
    await clock.advance(60_000);
    expect(requests).toBe(5);
    expect(changes).toEqual(['added x 1']);
  });

  test('lists again after an outage of the server: it may have been restored from a backup', async () => {
    const { clock, server, informer, start } = setUp();
    server.put('x', '1');
    await start();
    const backup = server.version();
    server.put('x', '2');
    server.put('y', '1');
    await clock.advance(0);
    let refused = 1;
    server.faults(() => (refused-- > 0 ? 'refused' : undefined));
    server.restore(backup);
    server.dropWatches();
    await clock.advance(10_000);
    // A watch from a version in the future would report none of these.
    server.put('z', '1');
    server.put('x', '3');
    await clock.advance(1_000);
    const seen = informer.list().map(({ metadata, data }) => [metadata.name, data?.['value']]);
    expect(seen.sort()).toEqual([
      ['x', '3'],
      ['z', '1'],
    ]);
  });

  test('pauses before it restarts a watch that the server ends at once', async () => {
    const { clock, server, start } = setUp();
    await start();
    let requests = 0;
    server.faults(() => {
      requests += 1;
      return undefined;
    });
    for (let second = 0; second < 60; second++) {
      server.dropWatches();
      await clock.advance(1_000);
    }
    expect(requests).toBeGreaterThan(10);
    expect(requests).toBeLessThan(130);
  });

  test('a silent connection is renewed', async () => {
    const { clock, server, changes, start } = setUp();
    await start();
    await clock.advance(179_000);
    server.bookmark();
    await clock.advance(179_000);
    expect(server.watches()).toBe(1);
    await clock.advance(3_000);
    expect(server.watches()).toBe(1);
    server.put('x', '1');
    await clock.advance(2_000);
    expect(changes).toEqual(['added x 1']);
  });

  test('reports existing objects to a late listener, and nothing to a removed one', async () => {
    const { clock, server, informer, start } = setUp();
    server.put('x', '1');
    await start();
    const late: string[] = [];
    const stop = informer.onChange((change) => late.push(describeChange(change)));
    expect(late).toEqual(['added x 1']);
    stop();
    server.put('x', '2');
    await clock.advance(0);
    expect(late).toEqual(['added x 1']);
  });

  test("a listener's defect stops neither the cache nor the other listeners", async () => {
    const { clock, server, informer, start } = setUp();
    informer.onChange(() => {
      throw new Error('defect');
    });
    const others: string[] = [];
    informer.onChange((change) => others.push(describeChange(change)));
    await start();
    server.put('x', '1');
    await clock.advance(0);
    expect(others).toEqual(['added x 1']);
  });

  test('stores the result of the transform and finds it by index', async () => {
    const { clock, server, informer, start } = setUp({
      transform: ({ data: _, ...object }) => object,
      indexers: { initial: ({ metadata }) => [metadata.name?.[0] ?? ''] },
    });
    for (const name of ['ant', 'ape', 'bee']) server.put(name, '1');
    await start();
    expect(informer.byIndex('initial', 'a').map(({ metadata }) => metadata.name)).toEqual(['ant', 'ape']);
    expect(informer.get('a/ant')?.data).toBeUndefined();
    server.put('ape', undefined);
    await clock.advance(0);
    expect(informer.byIndex('initial', 'a')).toHaveLength(1);
    expect(() => informer.byIndex('final', 'a')).toThrow('no index "final"');
  });

  test('a wait for the first list ends with its signal', async () => {
    const { informer } = setUp();
    const controller = new AbortController();
    const waiting = informer.waitForSync({ signal: controller.signal });
    controller.abort(new Error('stopping'));
    await expect(waiting).rejects.toThrow('stopping');
  });

  test('tells its failures to whoever reports them', async () => {
    const codes: string[] = [];
    const { clock, server, start } = setUp({ onError: ({ code }) => codes.push(code) });
    server.faults(() => 'error-500');
    await start();
    await clock.advance(1_000);
    expect(codes).toContain('KubeServerError');
  });
});

describe('whatever the server does, the cache converges and the last event of each object is delivered', () => {
  const seeds = Array.from({ length: 200 }, (_, seed) => seed + 1);
  test.each(seeds)('seed %i', async (seed) => {
    const random = createSeededRandom(seed);
    const { clock, server, informer, start } = setUp({}, seed);
    const reported = new Map<string, string>();
    const disorder: string[] = [];
    informer.onChange(({ type, object }) => {
      const key = object.metadata.name ?? '';
      const before = reported.get(key) ?? 'deleted';
      // Every consumer relies on this: nothing is updated or deleted that was not added.
      if ((type === 'added') !== (before === 'deleted')) disorder.push(`${type} ${key} after ${before}`);
      reported.set(key, type === 'deleted' ? 'deleted' : `${object.metadata.uid} ${object.metadata.resourceVersion}`);
    });
    for (let i = 0; i < 30; i++) server.put(`o${i}`, 'initial');
    const faultRate = random.next() * 0.5;
    server.faults(() => {
      if (random.next() >= faultRate) return undefined;
      return (['error-500', 'throttled', 'refused'] as const)[Math.floor(random.next() * 3)];
    });
    await start();

    const change = () =>
      server.put(`o${Math.floor(random.next() * 40)}`, random.next() < 0.3 ? undefined : `v${random.next()}`);
    const disturbances = [
      () => server.dropWatches(),
      () => server.dropWatches({ midLine: true }),
      () => server.compact(),
      () => server.bookmark(),
      () => {
        server.dropWatches();
        server.compact();
      },
    ];
    for (let step = 0; step < 100; step++) {
      for (let n = Math.floor(random.next() * 4); n > 0; n--) change();
      if (random.next() < 0.2) disturbances[Math.floor(random.next() * disturbances.length)]?.();
      await clock.advance(random.next() < 0.5 ? 0 : random.next() * 3_000);
    }
    server.faults(() => undefined);
    await clock.advance(120_000);

    expect(disorder).toEqual([]);
    const versions = (objects: Iterable<ConfigMap>) =>
      [...objects].map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).sort();
    expect(versions(informer.list())).toEqual(versions(server.state().values()));
    for (const [name, { metadata }] of server.state())
      expect(reported.get(name)).toBe(`${metadata.uid} ${metadata.resourceVersion}`);
    for (const [name, state] of reported) if (!server.state().has(name)) expect(state).toBe('deleted');
  });
});
