import { configMaps, namespaces, nodes, persistentVolumes, pods, secrets, serviceAccounts } from '@vdo/kube/types/core';
import type { Resource } from '@vdo/kube/types/resource';
import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, test } from 'vitest';
import { type Bench, configMap, createConfigMap, uniqueName } from './kube-target.ts';

/** Reading and writing single objects, and lists of them. */
export const verbsSuite = (bench: () => Bench): void => {
  describe('create, read, update, delete', () => {
    test('an object gets its identity at creation', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const created = await createConfigMap(client, ns, 'a', { x: '1' });
      expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { x: '1' } });
      expect(created.metadata).toMatchObject({
        namespace: ns,
        name: 'a',
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      });
      expect(await client.get(configMaps, { namespace: ns, name: 'a' })).toEqual(created);
    });

    test('a generated name is unique', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: ns, generateName: 'gen-' } };
      const [one, two] = [await client.create(configMaps, object), await client.create(configMaps, object)];
      expect(one.metadata.name).toMatch(/^gen-[a-z0-9]{5}$/);
      expect(two.metadata.name).not.toBe(one.metadata.name);
    });

    test('a name is given once', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      await createConfigMap(client, ns, 'a');
      await expect(createConfigMap(client, ns, 'a')).rejects.toMatchObject({ code: 'KubeAlreadyExists' });
    });

    test('an update needs the current version, and a missing object stays missing', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const first = await createConfigMap(client, ns, 'a', { x: '1' });
      const second = await client.update(configMaps, { ...first, data: { x: '2' } });
      expect(second.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion);
      await expect(client.update(configMaps, { ...first, data: { x: '3' } })).rejects.toMatchObject({
        code: 'KubeConflict',
      });
      await expect(client.update(configMaps, configMap(ns, 'none'))).rejects.toMatchObject({ code: 'KubeNotFound' });
    });

    test('an update that changes nothing is no new version', async () => {
      const { client, namespace } = bench();
      const first = await createConfigMap(client, await namespace(), 'a', { x: '1' });
      const second = await client.update(configMaps, first);
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    });

    test('what is missing is told apart: the object, its namespace, its kind', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      expect(await client.find(configMaps, { namespace: ns, name: 'none' })).toBeUndefined();
      expect(await client.delete(configMaps, { namespace: ns, name: 'none' })).toBe(false);
      const nowhere = createConfigMap(client, uniqueName('none'), 'a');
      await expect(nowhere).rejects.toMatchObject({
        code: 'KubeNotFound',
        remedy: expect.stringContaining('namespace'),
      });
      const unknown: Resource = { group: 'none.test', version: 'v1', plural: 'nones', kind: 'None', namespaced: false };
      await expect(client.list(unknown)).rejects.toMatchObject({ code: 'KubeResourceMissing' });
      await expect(client.get(unknown, { name: 'x' })).rejects.toMatchObject({ code: 'KubeResourceMissing' });
    });

    test('an invalid object names its field', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      await expect(createConfigMap(client, ns, 'Not_A_Name')).rejects.toMatchObject({
        code: 'KubeInvalid',
        message: expect.stringContaining('metadata.name'),
      });
    });

    test('a dry run leaves no trace', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const planned = await client.create(configMaps, configMap(ns, 'a'), { dryRun: true });
      expect(planned.metadata.name).toBe('a');
      expect(await client.find(configMaps, { namespace: ns, name: 'a' })).toBeUndefined();
      await createConfigMap(client, ns, 'b');
      await client.delete(configMaps, { namespace: ns, name: 'b' }, { dryRun: true });
      expect(await client.find(configMaps, { namespace: ns, name: 'b' })).toBeDefined();
    });

    test("a Secret's stringData becomes data", async () => {
      const { client, namespace } = bench();
      const metadata = { namespace: await namespace(), name: 's' };
      const stringData = { password: 'obviously-fake' };
      const secret = await client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, stringData });
      expect(secret.data).toEqual({ password: Buffer.from('obviously-fake').toString('base64') });
      expect(secret.stringData).toBeUndefined();
    });
  });

  describe('patches', () => {
    test('a merge patch sets, and null removes', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      await createConfigMap(client, ns, 'a', { x: '1', y: '1' });
      const body = { data: { x: null, z: '1' }, metadata: { labels: { l: 'v' } } };
      const patched = await client.patch(configMaps, { namespace: ns, name: 'a' }, { type: 'merge', body });
      expect(patched.data).toEqual({ y: '1', z: '1' });
      expect(patched.metadata.labels).toEqual({ l: 'v' });
    });

    test('a patch of another object of the name is invalid, and a conflict if it names a version', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const key = { namespace: ns, name: 'a' };
      const { metadata } = await createConfigMap(client, ns, 'a');
      await client.delete(configMaps, key);
      await createConfigMap(client, ns, 'a');
      const { uid, resourceVersion } = metadata;
      const patch = (old: object) =>
        client.patch(configMaps, key, { type: 'merge', body: { metadata: old, data: { x: '2' } } });
      await expect(patch({ uid })).rejects.toMatchObject({ code: 'KubeInvalid' });
      await expect(patch({ uid, resourceVersion })).rejects.toMatchObject({ code: 'KubeConflict' });
      expect((await client.get(configMaps, key)).data?.['x']).not.toBe('2');
    });

    test('a merge patch with an old resourceVersion is a conflict', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const { metadata } = await createConfigMap(client, ns, 'a');
      const key = { namespace: ns, name: 'a' };
      await client.patch(configMaps, key, { type: 'merge', body: { data: { x: '1' } } });
      const body = { metadata: { resourceVersion: metadata.resourceVersion }, data: { x: '2' } };
      await expect(client.patch(configMaps, key, { type: 'merge', body })).rejects.toMatchObject({
        code: 'KubeConflict',
      });
    });

    test('a JSON patch tests before it changes', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const key = { namespace: ns, name: 'a' };
      const annotations = { existing: 'yes' };
      await client.create(configMaps, { ...configMap(ns, 'a', { x: '1' }), metadata: { ...key, annotations } });
      const replace = (expected: string) => ({
        type: 'json' as const,
        body: [
          { op: 'test', path: '/data/x', value: expected },
          { op: 'replace', path: '/data/x', value: '2' },
          { op: 'add', path: '/metadata/annotations/contract.test~1mark', value: '3' },
        ],
      });
      const patched = await client.patch(configMaps, key, replace('1'));
      expect(patched.data).toEqual({ x: '2' });
      expect(patched.metadata.annotations).toEqual({ existing: 'yes', 'contract.test/mark': '3' });
      await expect(client.patch(configMaps, key, replace('1'))).rejects.toMatchObject({ code: 'KubeInvalid' });
    });

    test('a strategic patch merges lists by their key', async () => {
      const { client } = bench();
      const name = uniqueName('node');
      const taints = [{ key: 'a', effect: 'NoSchedule' as const }];
      await client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { taints } });
      const status = { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] };
      await client.patch(nodes, { name }, { type: 'strategic', body: { status } }, { subresource: 'status' });
      const more = { addresses: [{ type: 'Hostname', address: 'n' }] };
      const patched = await client.patch(
        nodes,
        { name },
        { type: 'strategic', body: { status: more } },
        { subresource: 'status' },
      );
      expect(patched.status?.addresses).toHaveLength(2);
      await client.delete(nodes, { name });
    });
  });

  describe('subresources', () => {
    test('status and the rest are written apart', async () => {
      const { client } = bench();
      const name = uniqueName('node');
      const node = await client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} });
      const addresses = [{ type: 'InternalIP' as const, address: '10.0.0.1' }];
      const changed = { ...node, spec: { providerID: 'vsphere://x' }, status: { ...node.status, addresses } };
      const afterStatus = await client.update(nodes, changed, { subresource: 'status' });
      expect(afterStatus.status?.addresses).toEqual(addresses);
      expect(afterStatus.spec.providerID).toBeUndefined();
      const patch = {
        type: 'merge' as const,
        body: { spec: { providerID: 'vsphere://x' }, status: { addresses: null } },
      };
      const afterSpec = await client.patch(nodes, { name }, patch);
      expect(afterSpec.spec.providerID).toBe('vsphere://x');
      expect(afterSpec.status?.addresses).toEqual(addresses);
      await client.delete(nodes, { name });
    });

    test('scale changes the replicas', async () => {
      const { client, namespace } = bench();
      const key = { namespace: await namespace(), name: 'web' };
      const template = {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'none.test/none' }] },
      };
      const spec = { replicas: 0, selector: { matchLabels: { app: 'web' } }, template };
      await client.create(deployments, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: key, spec });
      const patch = { type: 'merge' as const, body: { spec: { replicas: 2 } } };
      await client.patch(deployments, key, patch, { subresource: 'scale' });
      expect((await client.get(deployments, key)).spec.replicas).toBe(2);
      expect((await client.get(deployments, key, { subresource: 'scale' })).kind).toBe('Scale');
    });

    test('a ServiceAccount gives a token', async () => {
      const { client, namespace } = bench();
      const metadata = { namespace: await namespace(), name: 'account' };
      await client.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec: {} };
      const reply = await client.create(serviceAccounts, request, { subresource: 'token' });
      expect((reply as unknown as { status: { token: string } }).status.token).toMatch(/\S{20,}/);
    });
  });

  describe('lists', () => {
    test('are cut into pages of one consistent state', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      for (const name of ['a', 'b', 'c', 'd', 'e']) await createConfigMap(client, ns, name, { kept: 'x' });
      const ours = { namespace: ns, fieldSelector: 'metadata.name!=kube-root-ca.crt' };
      const names: (string | undefined)[] = [];
      const sizes: number[] = [];
      for await (const { items } of client.pages(configMaps, { ...ours, limit: 2 })) {
        names.push(...items.map(({ metadata }) => metadata.name));
        sizes.push(items.length);
        await client.delete(configMaps, { namespace: ns, name: 'e' });
      }
      expect(sizes).toEqual([2, 2, 1]);
      expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
      const all = await client.list(configMaps, { ...ours, limit: 2 });
      expect(all.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c', 'd']);
      expect(all.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    });

    test.each([
      ['app=web', ['one']],
      ['app in (web,db)', ['one', 'two']],
      ['app!=web', ['three', 'two']],
      ['!app', ['three']],
      ['app,tier=back', ['two']],
      ['app notin (web)', ['three', 'two']],
    ])('choose by label: %s', async (labelSelector, expected) => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const labels = { one: { app: 'web' }, two: { app: 'db', tier: 'back' }, three: {} };
      for (const [name, value] of Object.entries(labels))
        await client.create(configMaps, {
          ...configMap(ns, name),
          metadata: { namespace: ns, name, labels: { test: ns, ...value } },
        });
      const { items } = await client.list(configMaps, { namespace: ns, labelSelector: `test=${ns},${labelSelector}` });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(expected);
    });

    test('choose by field', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      await createConfigMap(client, ns, 'a');
      await createConfigMap(client, ns, 'b');
      const { items } = await client.list(configMaps, { namespace: ns, fieldSelector: 'metadata.name=b' });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['b']);
      const wrong = client.list(configMaps, { namespace: ns, fieldSelector: 'data.x=1' });
      await expect(wrong).rejects.toMatchObject({ code: 'KubeInvalid' });
      const pending = await client.list(pods, {
        namespace: ns,
        fieldSelector: 'spec.nodeName=none,status.phase!=Running',
      });
      expect(pending.items).toEqual([]);
    });

    test('are deleted as a whole', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      for (const name of ['a', 'b']) await createConfigMap(client, ns, name);
      await client.deleteCollection(configMaps, { namespace: ns, fieldSelector: 'metadata.name!=b' });
      const { items } = await client.list(configMaps, {
        namespace: ns,
        fieldSelector: 'metadata.name!=kube-root-ca.crt',
      });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['b']);
    });
  });

  describe('discovery', () => {
    test('finds the resource of a kind', async () => {
      const { client } = bench();
      expect(await client.resourceFor('v1', 'PersistentVolume')).toEqual(persistentVolumes);
      expect(await client.resourceFor('v1', 'Namespace')).toEqual(namespaces);
      expect(await client.resourceFor('apps/v1', 'Deployment')).toEqual(deployments);
      await expect(client.resourceFor('apps/v1', 'None')).rejects.toMatchObject({ code: 'KubeResourceMissing' });
      await expect(client.resourceFor('none.test/v1', 'None')).rejects.toMatchObject({ code: 'KubeResourceMissing' });
    });

    test('tells the version', async () => {
      expect(await bench().client.serverVersion()).toMatch(/^v1\.\d+\.\d+/);
    });
  });
};
