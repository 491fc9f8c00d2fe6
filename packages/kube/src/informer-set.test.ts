import { HttpFailure } from '@vdo/base/http-failure';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { expect, test } from 'vitest';
import { createKubeClient } from './create-client.ts';
import { createInformerSet } from './informer-set.ts';
import { createModelServer } from './testing/model-server.ts';
import { configMaps, secrets } from './types/core.ts';

const setUp = () => {
  const clock = createVirtualClock();
  const server = createModelServer(() => new HttpFailure('refused', 'refused'));
  const client = createKubeClient({ transport: server.transport, clock });
  return {
    clock,
    server,
    informers: createInformerSet({ client, clock, random: createSeededRandom(1), logger: silentLogger }),
  };
};

test('whoever asks for the same gets the same, and other selections are others', () => {
  const { informers } = setUp();
  const one = informers.of(configMaps, { namespace: 'a', indexers: { name: () => ['x'] } });
  expect(informers.of(configMaps, { namespace: 'a' })).toBe(one);
  expect(informers.of(configMaps, { namespace: 'b' })).not.toBe(one);
  expect(informers.of(secrets, { namespace: 'a' })).not.toBe(one);
  expect(() => informers.of(configMaps, { namespace: 'a', transform: (object) => object })).toThrow('there already');
});

test('all run together, are synced together, and tell which one is behind', async () => {
  const { clock, server, informers } = setUp();
  server.put('x', '1');
  const maps = informers.of(configMaps);
  informers.of(secrets);
  const controller = new AbortController();
  server.faults(() => 'refused');
  const running = informers.run(controller.signal);
  await clock.advance(1_000);
  expect(informers.hasSynced()).toBe(false);
  expect([...informers.errors().keys()]).toEqual(['configmaps', 'secrets']);
  server.faults(() => undefined);
  const synced = informers.waitForSync();
  await clock.advance(60_000);
  await synced;
  expect(informers.errors().size).toBe(0);
  expect(maps.list()).toHaveLength(1);
  controller.abort();
  await running;
});
