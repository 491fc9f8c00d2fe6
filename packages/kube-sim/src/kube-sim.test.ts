import type { AnyObject } from '@vdo/kube/types/object';
import { describe, expect, test } from 'vitest';
import { getIn } from './json.ts';
import { configMap, deployment, node, pod } from './testing/builders.ts';
import { createTestServer } from './testing/raw-client.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const continueOf = (list: AnyObject) => getIn(list, ['metadata', 'continue']);

describe('objects', () => {
  test('a created object gets the fields that the server sets', async () => {
    const { post } = createTestServer();
    const { status, body } = await post(maps, configMap('a', { k: 'v' }));
    expect(status).toBe(201);
    expect(body.metadata).toMatchObject({ name: 'a', namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z' });
    expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(0);
  });

  test.each([
    ['a missing object is NotFound', 'GET', `${maps}/nope`, undefined, 404, 'configmaps "nope" not found'],
    [
      'a missing namespace is NotFound',
      'POST',
      '/api/v1/namespaces/x/configmaps',
      configMap('a'),
      404,
      'namespaces "x" not found',
    ],
    ['another kind is a bad request', 'POST', maps, node('a'), 400, 'cannot be handled as a ConfigMap'],
    ['a bad name is Invalid', 'POST', maps, configMap('A_b'), 422, 'ConfigMap "A_b" is invalid: metadata.name'],
    ['a bad label is Invalid', 'POST', maps, configMap('a', {}, { labels: { x: 'not ok!' } }), 422, 'metadata.labels'],
    ['broken JSON is a bad request', 'POST', maps, undefined, 400, 'must be a JSON object'],
    ['an unknown query value is a bad request', 'POST', `${maps}?dryRun=Some`, configMap('a'), 400, 'dryRun'],
    [
      'a resource version on create is refused',
      'POST',
      maps,
      configMap('a', {}, { resourceVersion: '4' }),
      400,
      'resourceVersion should not be set',
    ],
  ])('%s', async (_, method, path, body, code, message) => {
    const reply = await createTestServer().request(method, path, { body });
    expect(reply.status).toBe(code);
    expect(reply.body).toMatchObject({ kind: 'Status', status: 'Failure', code });
    expect(String(reply.body['message'])).toContain(message);
  });

  test('the record of field ownership can be left out', async () => {
    const { post, request } = createTestServer({ recordsManagers: false });
    const created = await post(maps, configMap('a', { k: 'v' }));
    const { resourceVersion } = created.body.metadata;
    const updated = await request('PUT', `${maps}/a`, { body: configMap('a', { k: 'w' }, { resourceVersion }) });
    expect([created, updated].map(({ body }) => [body['data'], body.metadata.managedFields])).toEqual([
      [{ k: 'v' }, undefined],
      [{ k: 'w' }, undefined],
    ]);
  });

  test('a second create with the same name is AlreadyExists', async () => {
    const { post } = createTestServer();
    await post(maps, configMap('a'));
    expect((await post(maps, configMap('a'))).body).toMatchObject({ code: 409, reason: 'AlreadyExists' });
  });

  test('generateName generates different names', async () => {
    const { post } = createTestServer();
    const names = await Promise.all(
      [1, 2].map(
        async () => (await post(maps, { ...configMap(''), metadata: { generateName: 'x-' } })).body.metadata.name,
      ),
    );
    expect(names[0]).toMatch(/^x-[a-z0-9]{5}$/);
    expect(names[0]).not.toBe(names[1]);
  });

  test('an update based on an old version is a Conflict', async () => {
    const { post, put } = createTestServer();
    const first = (await post(maps, configMap('a', { n: '1' }))).body;
    const second = await put(`${maps}/a`, { ...first, data: { n: '2' } });
    expect(second.status).toBe(200);
    expect((await put(`${maps}/a`, { ...first, data: { n: '3' } })).body).toMatchObject({
      code: 409,
      reason: 'Conflict',
    });
  });

  test('an update that changes nothing keeps the resource version', async () => {
    const { post, put } = createTestServer();
    const first = (await post(maps, configMap('a', { n: '1' }))).body;
    const again = (await put(`${maps}/a`, first)).body;
    expect(again.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  test('generation counts changes of the spec, not of status or labels', async () => {
    const { post, patch } = createTestServer();
    const path = '/apis/apps/v1/namespaces/default/deployments';
    expect((await post(path, deployment('d'))).body.metadata.generation).toBe(1);
    expect((await patch(`${path}/d`, 'merge', { metadata: { labels: { a: 'b' } } })).body.metadata.generation).toBe(1);
    expect((await patch(`${path}/d/status`, 'merge', { status: { replicas: 1 } })).body.metadata.generation).toBe(1);
    expect((await patch(`${path}/d`, 'merge', { spec: { replicas: 3 } })).body.metadata.generation).toBe(2);
  });

  test('status is written through its subresource only', async () => {
    const { post, patch, get } = createTestServer();
    const path = '/api/v1/nodes';
    await post(path, node('n', {}, { phase: 'kept on create' }));
    expect((await patch(`${path}/n`, 'merge', { status: { phase: 'ignored' } })).status).toBe(200);
    expect(
      (await patch(`${path}/n/status`, 'merge', { spec: { providerID: 'ignored' }, status: { phase: 'set' } })).status,
    ).toBe(200);
    const { body } = await get(`${path}/n`);
    expect(body['status']).toMatchObject({ phase: 'set' });
    expect(body['spec']).toEqual({});
  });

  test('a dry run changes nothing', async () => {
    const { post, get } = createTestServer();
    expect((await post(`${maps}?dryRun=All`, configMap('a'))).status).toBe(201);
    expect((await get(`${maps}/a`)).status).toBe(404);
  });

  test('secrets accept plain strings and return base64', async () => {
    const { post } = createTestServer();
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: 'x' },
      data: { b: 'eQ==' },
    };
    const { body } = await post('/api/v1/namespaces/default/secrets', secret);
    expect(body['data']).toEqual({ a: 'eA==', b: 'eQ==' });
    expect(body['stringData']).toBeUndefined();
    expect(body['type']).toBe('Opaque');
  });

  test.each([
    [
      'the selector of a Deployment',
      '/apis/apps/v1/namespaces/default/deployments',
      deployment('x'),
      {
        spec: { selector: { matchLabels: { app: 'x', more: 'y' } }, template: { metadata: { labels: { more: 'y' } } } },
      },
    ],
    [
      'the provisioner of a StorageClass',
      '/apis/storage.k8s.io/v1/storageclasses',
      { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'x' }, provisioner: 'a' },
      { provisioner: 'b' },
    ],
    ['the provider ID of a Node', '/api/v1/nodes', node('x', { providerID: 'a' }), { spec: { providerID: 'b' } }],
    ['the containers of a Pod', '/api/v1/namespaces/default/pods', pod('x'), { spec: { hostNetwork: true } }],
  ])('%s is immutable', async (_, path, object, change) => {
    const { post, patch } = createTestServer();
    expect((await post(path, object)).status).toBe(201);
    expect((await patch(`${path}/x`, 'merge', change)).body).toMatchObject({ code: 422, reason: 'Invalid' });
  });
});

describe('deletion', () => {
  test('an object without finalizers is deleted at once', async () => {
    const { post, delete: remove, get } = createTestServer();
    const { uid } = (await post(maps, configMap('a'))).body.metadata;
    expect((await remove(`${maps}/a`)).body).toMatchObject({
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid },
    });
    expect((await get(`${maps}/a`)).status).toBe(404);
  });

  test('a finalizer blocks the deletion until it is removed, and no new one may be added', async () => {
    const { post, delete: remove, patch, get } = createTestServer();
    await post(maps, configMap('a', {}, { finalizers: ['example.com/hold'] }));
    expect((await remove(`${maps}/a`)).body.metadata.deletionTimestamp).toBe('2026-01-01T00:00:00Z');
    const late = await patch(`${maps}/a`, 'merge', {
      metadata: { finalizers: ['example.com/hold', 'example.com/late'] },
    });
    expect(late.body).toMatchObject({ code: 422 });
    expect((await patch(`${maps}/a`, 'merge', { metadata: { finalizers: null } })).status).toBe(200);
    expect((await get(`${maps}/a`)).status).toBe(404);
  });

  test('an object with another UID is not deleted', async () => {
    const { post, delete: remove } = createTestServer();
    await post(maps, configMap('a'));
    const reply = await remove(`${maps}/a`, { preconditions: { uid: 'other' } });
    expect(reply.body).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  test('a collection is deleted by selector', async () => {
    const { post, delete: remove, get } = createTestServer();
    await post(maps, configMap('a', {}, { labels: { drop: 'yes' } }));
    await post(maps, configMap('b'));
    expect((await remove(`${maps}?labelSelector=drop%3Dyes`)).status).toBe(200);
    expect((await get(maps)).body.items).toHaveLength(1);
  });

  test('a pod on a node waits for its kubelet, a pod without a node is deleted', async () => {
    const { post, delete: remove, get } = createTestServer();
    const path = '/api/v1/namespaces/default/pods';
    await post(path, pod('bound', { nodeName: 'n' }));
    await post(path, pod('free'));
    expect((await remove(`${path}/bound`)).body.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      deletionTimestamp: '2026-01-01T00:00:30Z',
    });
    expect((await remove(`${path}/free`)).body).toMatchObject({ status: 'Success' });
    expect((await remove(`${path}/bound`, { gracePeriodSeconds: 0 })).body).toMatchObject({ status: 'Success' });
    expect((await get(`${path}/bound`)).status).toBe(404);
  });
});

describe('lists', () => {
  const filled = async (count: number) => {
    const server = createTestServer();
    for (let i = 0; i < count; i++)
      await server.post(maps, configMap(`m${i}`, {}, { labels: { odd: String(i % 2 === 1) } }));
    return server;
  };

  test('pages show the state of the first page, whatever changes between them', async () => {
    const { get, delete: remove } = await filled(5);
    const first = (await get(`${maps}?limit=2`)).body;
    expect(first.metadata).toMatchObject({ remainingItemCount: 3 });
    await remove(`${maps}/m4`);
    const names: unknown[] = [];
    for (let token = continueOf(first); token !== undefined; ) {
      const page = (await get(`${maps}?limit=2&continue=${token}`)).body;
      names.push(...page.items.map(({ metadata }) => metadata.name));
      token = continueOf(page);
    }
    expect(names).toEqual(['m2', 'm3', 'm4']);
  });

  test('a page after compaction is Expired', async () => {
    const { get, post, sim } = await filled(3);
    const token = continueOf((await get(`${maps}?limit=1`)).body);
    await post(maps, configMap('later'));
    sim.store.compact();
    expect((await get(`${maps}?limit=1&continue=${token}`)).body).toMatchObject({ code: 410, reason: 'Expired' });
  });

  test('items of built-in kinds have no kind, as from a real server', async () => {
    const { get } = await filled(1);
    const { body } = await get(maps);
    expect(body.kind).toBe('ConfigMapList');
    expect(body.items[0]).not.toHaveProperty('kind');
  });

  test.each([
    ['odd=true', 1],
    ['odd!=true', 2],
    ['odd in (true,false)', 3],
    ['odd notin (true)', 2],
    ['odd', 3],
    ['!odd', 0],
    ['odd=true,other', 0],
  ])('the label selector %s finds %i', async (selector, count) => {
    const { get } = await filled(3);
    expect((await get(`${maps}?labelSelector=${encodeURIComponent(selector)}`)).body.items).toHaveLength(count);
  });

  test.each([
    ['metadata.name=m1', 200, 1],
    ['metadata.name!=m1', 200, 2],
    ['data.x=y', 400, undefined],
  ])('the field selector %s answers %i', async (selector, code, count) => {
    const { get } = await filled(3);
    const reply = await get(`${maps}?fieldSelector=${encodeURIComponent(selector)}`);
    expect(reply.status).toBe(code);
    if (count !== undefined) expect(reply.body.items).toHaveLength(count);
  });
});
