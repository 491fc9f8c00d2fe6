import { aborted } from '@vdo/base/async/aborted';
import { silentLogger } from '@vdo/base/logger';
import { createController } from '@vdo/kube/create-controller';
import { createInformer } from '@vdo/kube/create-informer';
import { createLeaderElector } from '@vdo/kube/create-leader-elector';
import { createEventRecorder } from '@vdo/kube/events';
import { leases } from '@vdo/kube/types/cluster';
import { configMaps, events, persistentVolumes } from '@vdo/kube/types/core';
import { keyOf, parseKey } from '@vdo/kube/types/resource';
import { describe, expect, test } from 'vitest';
import { type Bench, clock, createConfigMap, eventually, random } from './kube-target.ts';

const logger = silentLogger;
const common = { clock, random, logger };

/** The informer, the controller, the election and the events, on a server. */
export const machinerySuite = (bench: () => Bench): void => {
  const running = async (work: readonly ((signal: AbortSignal) => Promise<void>)[], body: () => Promise<void>) => {
    const controller = new AbortController();
    const done = Promise.all(work.map((run) => run(controller.signal)));
    try {
      await body();
    } finally {
      controller.abort();
      await done;
    }
  };

  describe('machinery', () => {
    test('an informer and a controller keep a copy of what they watch', async () => {
      const { client, namespace } = bench();
      const [from, to] = [await namespace(), await namespace()];
      const options = {
        client,
        resource: configMaps,
        namespace: from,
        fieldSelector: 'metadata.name!=kube-root-ca.crt',
      };
      const informer = createInformer({ ...common, ...options });
      const controller = createController({
        ...common,
        name: 'copier',
        workers: 4,
        reconcile: async (key, { signal }) => {
          const { name } = parseKey(key);
          const source = informer.get(key);
          if (!source) await client.delete(configMaps, { namespace: to, name }, { signal });
          else {
            const copy = {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { namespace: to, name },
              data: source.data ?? {},
            };
            await client.apply(configMaps, copy, { fieldManager: 'copier', signal });
          }
          return {};
        },
      });
      informer.onChange(({ object }) => controller.enqueue(keyOf(object)));
      const copies = async () => {
        const { items } = await client.list(configMaps, {
          namespace: to,
          fieldSelector: 'metadata.name!=kube-root-ca.crt',
        });
        return items.map(({ metadata, data }) => `${metadata.name}=${data?.['x']}`).join();
      };
      await createConfigMap(client, from, 'a', { x: '1' });
      await running([informer.run, controller.run], async () => {
        await informer.waitForSync();
        await eventually(async () => (await copies()) === 'a=1');
        await createConfigMap(client, from, 'b', { x: '1' });
        const a = await client.get(configMaps, { namespace: from, name: 'a' });
        await client.update(configMaps, { ...a, data: { x: '2' } });
        await eventually(async () => (await copies()) === 'a=2,b=1');
        await client.delete(configMaps, { namespace: from, name: 'a' });
        await eventually(async () => (await copies()) === 'b=1');
      });
      expect(informer.list()).toHaveLength(1);
    });

    test('a cache in doubt soon reaches what a list of its resource says, though no object changes', async () => {
      const { client, namespace } = bench();
      const informer = createInformer({ ...common, client, resource: persistentVolumes });
      await running([informer.run], async () => {
        await informer.waitForSync();
        await namespace();
        await new Promise((resolve) => setTimeout(resolve, 600));
        const { metadata } = await client.list(persistentVolumes, { fieldSelector: 'metadata.name=none', limit: 0 });
        informer.doubt();
        await informer.reached(metadata.resourceVersion ?? '', { signal: AbortSignal.timeout(4_000) });
      });
    });

    test('of two electors one leads, and the other follows when the first gives up', async () => {
      const { client, namespace } = bench();
      const lease = { namespace: await namespace(), name: 'lead' };
      const timing = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 200 };
      const elect = (identity: string) => createLeaderElector({ ...common, ...timing, client, lease, identity });
      const [one, two] = [elect('one'), elect('two')];
      const first = new AbortController();
      const firstDone = one.run(first.signal, aborted);
      await eventually(() => one.isLeading());
      await running([(signal) => two.run(signal, aborted)], async () => {
        const held = await client.get(leases, lease);
        expect(held.spec).toMatchObject({ holderIdentity: 'one', leaseDurationSeconds: 3, leaseTransitions: 0 });
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        expect([one.isLeading(), two.isLeading()]).toEqual([true, false]);
        first.abort();
        await firstDone;
        await eventually(() => two.isLeading());
        const taken = await client.get(leases, lease);
        expect(taken.spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
        expect(one.isLeading()).toBe(false);
      });
      expect((await client.get(leases, lease)).spec?.holderIdentity ?? '').toBe('');
    });

    test('an event is written once and counted', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const object = await createConfigMap(client, ns, 'a');
      const recorder = createEventRecorder({ ...common, client, component: 'contract' });
      const content = { type: 'Warning', reason: 'Tested', message: 'it was tested' } as const;
      for (let i = 0; i < 3; i++) recorder.record(object, content);
      await recorder.flush();
      const { items } = await client.list(events, { namespace: ns, fieldSelector: 'reason=Tested' });
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({
        ...content,
        count: 3,
        involvedObject: { kind: 'ConfigMap', name: 'a', uid: object.metadata.uid ?? '' },
        source: { component: 'contract' },
      });
    });
  });
};
