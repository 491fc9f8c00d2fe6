import { addFinalizer } from '@vdo/kube/finalizers';
import { configMaps, namespaces } from '@vdo/kube/types/core';
import { describe, expect, test } from 'vitest';
import { type Bench, configMap, createConfigMap, eventually } from './kube-target.ts';

const finalizer = 'contract.test/hold';

/** How objects go: preconditions, finalizers, owners, namespaces. */
export const deletionSuite = (bench: () => Bench): void => {
  describe('deletion', () => {
    test('of one incarnation spares the next', async () => {
      const { client, namespace } = bench();
      const key = { namespace: await namespace(), name: 'a' };
      const first = await createConfigMap(client, key.namespace, 'a');
      await client.delete(configMaps, key);
      await createConfigMap(client, key.namespace, 'a');
      const stale = client.delete(configMaps, key, { uid: first.metadata.uid ?? '' });
      await expect(stale).rejects.toMatchObject({ code: 'KubeConflict' });
      expect(await client.find(configMaps, key)).toBeDefined();
    });

    test('waits for finalizers', async () => {
      const { client, namespace } = bench();
      const key = { namespace: await namespace(), name: 'a' };
      const held = await addFinalizer(client, configMaps, await createConfigMap(client, key.namespace, 'a'), {
        finalizer,
      });
      expect(held.metadata.finalizers).toEqual([finalizer]);
      expect(await client.delete(configMaps, key)).toBe(true);
      const dying = await client.get(configMaps, key);
      expect(dying.metadata.deletionTimestamp).toBeDefined();
      const another = addFinalizer(client, configMaps, dying, { finalizer: 'contract.test/late' });
      await expect(another).rejects.toMatchObject({ code: 'KubeInvalid' });
      const { uid, resourceVersion } = dying.metadata;
      const body = { metadata: { finalizers: [], uid, resourceVersion } };
      await client.patch(configMaps, key, { type: 'merge', body });
      expect(await client.find(configMaps, key)).toBeUndefined();
    });

    test('of an owner takes what it owns, or leaves it as an orphan', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const grow = async (name: string) => {
        const { metadata } = await createConfigMap(client, ns, name);
        const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid ?? '' }];
        const child = configMap(ns, `${name}-child`);
        await client.create(configMaps, { ...child, metadata: { ...child.metadata, ownerReferences } });
      };
      await grow('a');
      await grow('b');
      await client.delete(configMaps, { namespace: ns, name: 'a' }, { propagation: 'Background' });
      await client.delete(configMaps, { namespace: ns, name: 'b' }, { propagation: 'Orphan' });
      await eventually(async () => !(await client.find(configMaps, { namespace: ns, name: 'a-child' })));
      await eventually(async () => !(await client.find(configMaps, { namespace: ns, name: 'b' })));
      const orphan = await client.get(configMaps, { namespace: ns, name: 'b-child' });
      expect(orphan.metadata.ownerReferences ?? []).toEqual([]);
    });

    test('of a namespace empties it first', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      await createConfigMap(client, ns, 'a');
      await client.delete(namespaces, { name: ns });
      await eventually(async () => !(await client.find(namespaces, { name: ns })));
      expect(await client.find(configMaps, { namespace: ns, name: 'a' })).toBeUndefined();
    });
  });
};
