import type { KubeClient, WatchOptions } from '@vdo/kube/client';
import { type ConfigMap, configMaps, persistentVolumes } from '@vdo/kube/types/core';
import { describe, expect, test } from 'vitest';
import { type Bench, createConfigMap, eventually } from './kube-target.ts';

const follow = (client: KubeClient, options: WatchOptions) => {
  const controller = new AbortController();
  const seen: string[] = [];
  const objects: ConfigMap[] = [];
  const done = (async () => {
    for await (const { type, object } of client.watch(configMaps, { ...options, signal: controller.signal })) {
      if (type === 'BOOKMARK') continue;
      seen.push(`${type} ${object.metadata.name}`);
      objects.push(object);
    }
  })().catch((error) => error);
  const stop = async () => {
    controller.abort(new Error('stopped'));
    return done;
  };
  return { seen, objects, stop, done };
};

/** Listening to changes. */
export const watchSuite = (bench: () => Bench): void => {
  describe('watch', () => {
    test('tells every change after a version, in order', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      await createConfigMap(client, ns, 'before');
      const { metadata } = await client.list(configMaps, { namespace: ns });
      const watch = follow(client, {
        namespace: ns,
        fieldSelector: 'metadata.name!=kube-root-ca.crt',
        resourceVersion: metadata.resourceVersion ?? '',
      });
      const created = await createConfigMap(client, ns, 'a', { x: '1' });
      const updated = await client.update(configMaps, { ...created, data: { x: '2' } });
      await client.delete(configMaps, { namespace: ns, name: 'a' });
      await eventually(() => watch.seen.length >= 3);
      expect(watch.seen).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
      expect(watch.objects[1]).toEqual(updated);
      expect(watch.objects[2]).toMatchObject({ kind: 'ConfigMap', data: { x: '2' } });
      // The version of a deletion is a new one: a watch that resumes from it must not see the deletion again.
      expect(watch.objects[2]?.metadata.resourceVersion).not.toBe(updated.metadata.resourceVersion);
      expect(await watch.stop()).toMatchObject({ message: 'stopped' });
    });

    test('without a version begins with what is there', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      await createConfigMap(client, ns, 'a');
      const watch = follow(client, { namespace: ns, fieldSelector: 'metadata.name=a' });
      await eventually(() => watch.seen.length >= 1);
      expect(watch.seen).toEqual(['ADDED a']);
      await watch.stop();
    });

    test('with a selector tells what enters and leaves it', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const watch = follow(client, { namespace: ns, labelSelector: 'watched=yes' });
      const created = await createConfigMap(client, ns, 'a');
      const entered = await client.update(configMaps, {
        ...created,
        metadata: { ...created.metadata, labels: { watched: 'yes' } },
      });
      await client.update(configMaps, { ...entered, metadata: { ...entered.metadata, labels: {} } });
      await eventually(() => watch.seen.length >= 2);
      expect(watch.seen).toEqual(['ADDED a', 'DELETED a']);
      await watch.stop();
    });

    test('ends after the time that was asked for', async () => {
      const { client, namespace } = bench();
      const watch = follow(client, { namespace: await namespace(), timeoutSeconds: 1 });
      expect(await watch.done).toBeUndefined();
    });

    test('that is short gets a bookmark, as new as the last list of the resource', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      // Another resource than the one that changes: its events do not move the version.
      const known = (await client.list(persistentVolumes)).metadata.resourceVersion ?? '';
      await createConfigMap(client, ns, 'a');
      const selected = { fieldSelector: 'metadata.name=none', limit: 0 };
      const listed = (await client.list(persistentVolumes, selected)).metadata.resourceVersion ?? '';
      expect(Number(listed)).toBeGreaterThan(Number(known));
      const watching = { resourceVersion: known, timeoutSeconds: 3 };
      const lastBookmark = async (): Promise<number> => {
        let version = 0;
        for await (const { type, object } of client.watch(persistentVolumes, watching))
          if (type === 'BOOKMARK') version = Number(object.metadata.resourceVersion);
        return version;
      };
      // A server promises no bookmark; a busy one may leave one watch without, and not several in a row.
      let newest = 0;
      for (let tries = 0; tries < 5 && newest < Number(listed); tries++) newest = await lastBookmark();
      expect(newest).toBeGreaterThanOrEqual(Number(listed));
    });

    test('from a version that never was fails with a known error', async () => {
      const { client, namespace } = bench();
      const watch = follow(client, { namespace: await namespace(), resourceVersion: 'nonsense' });
      expect(await watch.done).toMatchObject({ code: expect.stringMatching(/^Kube(Invalid|ServerError)$/) });
    });
  });
};
