import { silentLogger } from '@vdo/base/logger';
import { type ApplierOptions, createApplier } from '@vdo/kube/apply/create-applier';
import { sampleDefinition } from '@vdo/kube/testing/sample-crd';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { configMaps, namespaces, persistentVolumes, serviceAccounts } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { storageClasses } from '@vdo/kube/types/storage';
import { describe, expect, test } from 'vitest';
import { type Bench, clock, configMap, eventually, uniqueName } from './kube-target.ts';

const plain = (object: object): AnyObject => ({ ...object }) as AnyObject;
const map = (namespace: string, name: string, x: string): AnyObject => plain(configMap(namespace, name, { x }));
const storageClass = (name: string, parameters: Readonly<Record<string, string>> = {}): AnyObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: 'contract.test',
  parameters,
});

/** Applying and pruning whole sets of objects. */
export const applierSuite = (bench: () => Bench): void => {
  const setUp = async (options: Pick<ApplierOptions, 'podsEnding'> = {}) => {
    const { client, namespace } = bench();
    const ns = await namespace();
    const fieldManager = 'contract-applier';
    const inventory = { namespace: ns, name: 'inventory' };
    const applier = createApplier({ ...options, client, fieldManager, inventory, clock, logger: silentLogger });
    return { client, ns, applier };
  };
  const namesOf = (refs: readonly { readonly kind: string; readonly name: string }[]) =>
    refs.map(({ kind, name }) => `${kind} ${name}`).sort();

  describe('the applier', () => {
    test('applies a set in order, definitions before what they define', async () => {
      const { client, ns, applier } = await setUp();
      const { crd, resource, thing } = sampleDefinition(`${uniqueName('g')}.contract.test`);
      const target = uniqueName('target');
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: target, name: 'sa' } };
      const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: target } };
      const { applied } = await applier.apply([
        plain(thing('it', { size: 1 })),
        plain(account),
        plain(crd),
        plain(space),
        map(ns, 'm', '1'),
      ]);
      expect(applied.map(({ kind }) => kind)).toEqual([
        'Namespace',
        'CustomResourceDefinition',
        'ServiceAccount',
        'ConfigMap',
        'Thing',
      ]);
      expect(applied.every(({ uid }) => uid !== undefined)).toBe(true);
      expect(await applier.inventory()).toHaveLength(5);

      const { kept, removed } = await applier.removeAll();
      expect(namesOf(kept)).toEqual([`CustomResourceDefinition things.${resource.group}`, `Namespace ${target}`]);
      expect(namesOf(removed)).toEqual(['ConfigMap m', 'ServiceAccount sa', 'Thing it']);
      expect(await client.find(serviceAccounts, { namespace: target, name: 'sa' })).toBeUndefined();
      expect(await client.find(namespaces, { name: target })).toBeDefined();
      expect(await applier.inventory()).toEqual([]);
      await client.delete(customResourceDefinitions, { name: `things.${resource.group}` });
      await client.delete(namespaces, { name: target });
    });

    test('prunes what fell out, and nothing that was made anew by others', async () => {
      const { client, ns, applier } = await setUp();
      await applier.apply(['a', 'b', 'c'].map((name) => map(ns, name, '1')));
      await client.delete(configMaps, { namespace: ns, name: 'b' });
      await client.create(configMaps, configMap(ns, 'b', { mine: 'yes' }));
      const { pruned } = await applier.apply([map(ns, 'a', '1')]);
      expect(namesOf(pruned.removed)).toEqual(['ConfigMap b', 'ConfigMap c']);
      expect(await client.find(configMaps, { namespace: ns, name: 'b' })).toBeDefined();
      expect(await client.find(configMaps, { namespace: ns, name: 'c' })).toBeUndefined();
      expect(namesOf(await applier.inventory())).toEqual(['ConfigMap a']);
    });

    test('takes over what an installer brought, with all that it left, and what others set stays theirs', async () => {
      const { client, ns, applier } = await setUp();
      const key = { namespace: ns, name: 'taken' };
      const brought = (fieldManager: string, data: Readonly<Record<string, string>>) =>
        client.patch(configMaps, key, { type: 'merge', body: { data } }, { fieldManager });
      await client.create(configMaps, configMap(ns, 'taken', { old: '1', x: '0' }), { fieldManager: 'kubectl-create' });
      await brought('kubectl-client-side-apply', { older: '2' });
      await brought('kubectl-edit', { mine: '3' });
      await applier.apply([map(ns, 'taken', '1')]);
      const taken = await client.get(configMaps, key);
      expect(taken.data).toEqual({ x: '1', mine: '3' });
      expect(taken.metadata.managedFields?.map(({ manager }) => manager).sort()).toEqual([
        'contract-applier',
        'kubectl-edit',
      ]);
      // From now on others may bring what they like.
      await brought('kubectl-client-side-apply', { later: '4' });
      await applier.apply([map(ns, 'taken', '1')]);
      const after = await client.get(configMaps, key);
      expect(after.data).toEqual({ x: '1', mine: '3', later: '4' });
      await applier.apply([map(ns, 'taken', '1')]);
      expect((await client.get(configMaps, key)).metadata.resourceVersion).toBe(after.metadata.resourceVersion);
    });

    test('prunes nothing when something could not be applied, and finds it again later', async () => {
      const { client, ns, applier } = await setUp();
      await applier.apply([map(ns, 'old', '1')]);
      const broken = map(uniqueName('no-such-namespace'), 'broken', '1');
      await expect(applier.apply([map(ns, 'new', '1'), broken])).rejects.toMatchObject({ code: 'KubeNotFound' });
      expect(await client.find(configMaps, { namespace: ns, name: 'old' })).toBeDefined();
      // The next set wants neither the old one nor what the failed attempt left behind.
      const { pruned } = await applier.apply([map(ns, 'last', '1')]);
      expect(namesOf(pruned.removed)).toContain('ConfigMap new');
      expect(await client.find(configMaps, { namespace: ns, name: 'new' })).toBeUndefined();
      expect(await client.find(configMaps, { namespace: ns, name: 'old' })).toBeUndefined();
    });

    test('shows drift and repairs it', async () => {
      const { client, ns, applier } = await setUp();
      const wanted = [map(ns, 'a', '1'), map(ns, 'b', '1')];
      const actions = async () => (await applier.diff(wanted)).map(({ action }) => action);
      expect(await actions()).toEqual(['create', 'create']);
      await applier.apply(wanted);
      expect(await actions()).toEqual(['none', 'none']);
      const body = { data: { x: 'by hand', extra: 'kept' } };
      await client.patch(configMaps, { namespace: ns, name: 'a' }, { type: 'merge', body });
      const [drifted] = await applier.diff(wanted);
      expect(drifted?.fields).toEqual([{ path: '.data.x', from: 'by hand', to: '1' }]);
      await applier.apply(wanted);
      const repaired = await client.get(configMaps, { namespace: ns, name: 'a' });
      expect(repaired.data).toEqual({ x: '1', extra: 'kept' });
    });

    test('keeps a StorageClass while a volume names it, and removes it afterwards', async () => {
      const { client, ns, applier } = await setUp();
      const [used, free, volume] = [uniqueName('used'), uniqueName('free'), uniqueName('volume')];
      await applier.apply([storageClass(used), storageClass(free), map(ns, 'a', '1')]);
      const spec = {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: used,
        hostPath: { path: '/none' },
      };
      await client.create(persistentVolumes, {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: volume },
        spec,
      });
      const { pruned } = await applier.apply([map(ns, 'a', '1')]);
      expect(namesOf(pruned.inUse)).toEqual([`StorageClass ${used}`]);
      expect(namesOf(pruned.removed)).toEqual([`StorageClass ${free}`]);
      await client.delete(persistentVolumes, { name: volume });
      await eventually(async () => !(await client.find(persistentVolumes, { name: volume })));
      expect(namesOf((await applier.apply([map(ns, 'a', '1')])).pruned.removed)).toEqual([`StorageClass ${used}`]);
      expect(await client.find(storageClasses, { name: used })).toBeUndefined();
    });

    test('never replaces what cannot be changed', async () => {
      const { client, ns, applier } = await setUp();
      const name = uniqueName('class');
      await applier.apply([map(ns, 'a', '1'), storageClass(name, { policy: 'gold' })]);
      const change = applier.apply([map(ns, 'a', '1'), storageClass(name, { policy: 'silver' })]);
      await expect(change).rejects.toMatchObject({
        code: 'KubeImmutableField',
        remedy: expect.stringContaining(`kubectl delete storageclass ${name}`),
      });
      expect((await client.get(storageClasses, { name })).parameters).toEqual({ policy: 'gold' });
      await applier.removeAll();
    });

    test('tells what a finalizer still holds, and is done when it is gone', async () => {
      const { client, ns, applier } = await setUp();
      await applier.apply([map(ns, 'held', '1')]);
      const key = { namespace: ns, name: 'held' };
      const hold = (finalizers: readonly string[]) =>
        client.patch(configMaps, key, { type: 'merge', body: { metadata: { finalizers } } });
      await hold(['contract.test/hold']);
      expect(namesOf((await applier.removeAll()).remaining)).toEqual(['ConfigMap held']);
      expect(namesOf(await applier.inventory())).toEqual(['ConfigMap held']);
      await hold([]);
      expect((await applier.removeAll()).remaining).toEqual([]);
      expect(await applier.inventory()).toEqual([]);
    });

    test('takes what pods need away in a later call than the workloads, and not while their pods end', async () => {
      const ending = { value: true };
      const { client, ns, applier } = await setUp({ podsEnding: async () => ending.value });
      const labels = { app: 'a' };
      const podSpec = { serviceAccountName: 'sa', containers: [{ name: 'a', image: 'a' }] };
      const template = { metadata: { labels }, spec: podSpec };
      const workload = { replicas: 0, selector: { matchLabels: labels }, template };
      const object = (apiVersion: string, kind: string, name: string, spec?: object): AnyObject =>
        plain({ apiVersion, kind, metadata: { namespace: ns, name }, ...(spec ? { spec } : {}) });
      await applier.apply([object('v1', 'ServiceAccount', 'sa'), object('apps/v1', 'Deployment', 'a', workload)]);
      const first = await applier.removeAll();
      expect(namesOf(first.removed)).toEqual(['Deployment a']);
      expect(namesOf(first.remaining)).toEqual(['ServiceAccount sa']);
      expect(namesOf((await applier.removeAll()).remaining)).toEqual(['ServiceAccount sa']);
      expect(await client.find(serviceAccounts, { namespace: ns, name: 'sa' })).toBeDefined();
      ending.value = false;
      expect(namesOf((await applier.removeAll()).removed)).toEqual(['ServiceAccount sa']);
      expect(await applier.inventory()).toEqual([]);
    });
  });
};
