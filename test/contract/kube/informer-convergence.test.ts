import type { HttpTransport } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom, type Random } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { createKubeClient } from '@vdo/kube/create-client';
import { createInformer } from '@vdo/kube/create-informer';
import { configMaps, namespaces } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { FaultEffect } from '@vdo/kube-sim/faults';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { describe, expect, test } from 'vitest';
import { configMap } from './kube-target.ts';

const namespace = 'it';
const effects: readonly FaultEffect[] = [
  { kind: 'disconnect' },
  { kind: 'error', code: 500 },
  { kind: 'error', code: 429, retryAfterSeconds: 1 },
  { kind: 'error', code: 503 },
  { kind: 'latency', delayMs: 700 },
  { kind: 'drop-watch', afterMs: 40 },
  { kind: 'stale', revisions: 5 },
];

const identity = ({ metadata }: KubeObject): string => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`;

const setUp = async (random: Random) => {
  const clock = createVirtualClock();
  const options = { clock, random, logger: silentLogger, historyLimit: 60 };
  let sim = createKubeSim(options);
  const transport: HttpTransport = async (request) => {
    const asked = sim;
    const reply = await asked.handler(request);
    // Whoever waited for a server that is gone is not served by its ghost.
    if (asked !== sim) throw new HttpFailure('interrupted', 'the server restarted');
    return reply;
  };
  const client = createKubeClient({ transport, clock, qps: 0 });
  // The world that changes the objects uses requests that no fault hits: get, create, update, delete.
  const undisturbed = createKubeClient({ transport: (request) => sim.handler(request), clock, qps: 0 });
  await undisturbed.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return {
    clock,
    client,
    undisturbed,
    sim: () => sim,
    restart: () => {
      const snapshot = sim.snapshot();
      sim.dropWatches();
      sim = createKubeSim({ ...options, snapshot });
    },
  };
};

/** Random creates, updates and deletes while the embedded server fails, forgets, drops and restarts. */
const seeds = 200;
describe(`an informer of the embedded API server converges, ${seeds} seeds`, () => {
  test.each(Array.from({ length: seeds }, (_, index) => index + 1))(`seed %i of ${seeds}`, async (seed) => {
    const random = createSeededRandom(seed);
    const { clock, client, undisturbed, sim, restart } = await setUp(random);
    const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random.next() * items.length)];
    const informer = createInformer({ client, resource: configMaps, namespace, clock, random, logger: silentLogger });
    const reported = new Map<string, string>();
    informer.onChange(({ type, object }) => {
      if (type === 'deleted') reported.delete(object.metadata.name ?? '');
      else reported.set(object.metadata.name ?? '', identity(object));
    });
    const controller = new AbortController();
    const running = informer.run(controller.signal);

    const change = async () => {
      const name = `o${Math.floor(random.next() * 20)}`;
      const existing = await undisturbed.find(configMaps, { namespace, name });
      if (existing && random.next() < 0.3) await undisturbed.delete(configMaps, { namespace, name });
      else {
        const object = configMap(namespace, name, { value: String(random.next()) });
        if (existing) await undisturbed.update(configMaps, { ...object, metadata: existing.metadata });
        else await undisturbed.create(configMaps, object);
      }
    };
    const disturb = () => {
      const choice = random.next();
      if (choice < 0.2) sim().dropWatches();
      else if (choice < 0.4) sim().store.compact();
      else if (choice < 0.5) restart();
      else {
        const effect = pick(effects);
        const verb = effect?.kind === 'drop-watch' ? 'watch' : (pick(['list', 'watch']) ?? 'list');
        if (effect)
          sim().faults.add({
            match: { verb, resource: 'configmaps' },
            times: 1 + Math.floor(random.next() * 4),
            effect,
          });
      }
    };
    for (let step = 0; step < 60; step++) {
      for (let n = Math.floor(random.next() * 4); n > 0; n--) await change();
      if (random.next() < 0.3) disturb();
      await clock.advance(random.next() < 0.5 ? 0 : random.next() * 3_000);
    }
    sim().faults.clear();
    await clock.advance(120_000);

    const { items } = await undisturbed.list(configMaps, { namespace });
    const expected = items.map(identity).sort();
    expect(informer.list().map(identity).sort()).toEqual(expected);
    expect([...reported.values()].sort()).toEqual(expected);
    controller.abort();
    await running;
  });
});
