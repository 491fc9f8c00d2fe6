import { describe, expect, test } from 'vitest';
import { getIn } from '../json.ts';
import { configMap, deployment, thing, thingDefinition } from '../testing/builders.ts';
import { createTestServer } from '../testing/raw-client.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/example.com/v1/namespaces/default/things';

const created = () => {
  const server = createTestServer();
  const apply = (path: string, body: unknown, manager = 'us', force = false) =>
    server.patch(`${path}?fieldManager=${manager}&force=${force}`, 'apply', body);
  return { ...server, apply };
};

describe('server-side apply', () => {
  test('creates with 201, repeats with 200 and the same version', async () => {
    const { apply, clock } = created();
    const first = await apply(`${maps}/a`, configMap('a', { x: '1' }));
    await clock.advance(10_000);
    const again = await apply(`${maps}/a`, configMap('a', { x: '1' }));
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.metadata).toEqual(first.body.metadata);
  });

  test('owns what it applies, in the notation of a real server', async () => {
    const { apply } = created();
    const { body } = await apply(`${maps}/a`, configMap('a', { x: '1' }, { labels: { l: 'v' } }));
    expect(body.metadata.managedFields).toEqual([
      {
        manager: 'us',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:x': {} }, 'f:metadata': { 'f:labels': { 'f:l': {} } } },
      },
    ]);
  });

  test('removes what it no longer applies, and keeps fields of others', async () => {
    const { apply, patch } = created();
    await apply(`${maps}/a`, configMap('a', { mine: '1', dropped: '2' }));
    await patch(`${maps}/a?fieldManager=them`, 'merge', { data: { theirs: '3' } });
    const { body } = await apply(`${maps}/a`, configMap('a', { mine: '1' }));
    expect(body['data']).toEqual({ mine: '1', theirs: '3' });
  });

  test('a field that two appliers own is removed when the last one no longer applies it', async () => {
    const { apply } = created();
    await apply(`${maps}/a`, configMap('a', { shared: '1' }), 'one');
    await apply(`${maps}/a`, configMap('a', { shared: '1' }), 'two');
    expect((await apply(`${maps}/a`, configMap('a'), 'one')).body['data']).toEqual({ shared: '1' });
    expect((await apply(`${maps}/a`, configMap('a'), 'two')).body['data']).toBeUndefined();
  });

  test('a field of another manager is a conflict that names both, unless forced', async () => {
    const { apply, patch } = created();
    await apply(`${deployments}/d`, deployment('d', { replicas: 1 }));
    await patch(`${deployments}/d?fieldManager=scaler`, 'merge', { spec: { replicas: 5 } });
    const refused = await apply(`${deployments}/d`, deployment('d', { replicas: 1 }));
    expect(refused.body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Apply failed with 1 conflict: conflict with "scaler" using apps/v1 at 2026-01-01T00:00:00Z: .spec.replicas',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            field: '.spec.replicas',
            message: 'conflict with "scaler" using apps/v1 at 2026-01-01T00:00:00Z',
          },
        ],
      },
    });
    const forced = await apply(`${deployments}/d`, deployment('d', { replicas: 1 }), 'us', true);
    expect(getIn(forced.body, ['spec', 'replicas'])).toBe(1);
    expect(forced.body.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['us']);
  });

  test('a field that is not applied may change without a conflict', async () => {
    const { apply, patch } = created();
    await apply(`${deployments}/d`, deployment('d'));
    await patch(`${deployments}/d`, 'merge', { spec: { replicas: 5 } });
    expect(getIn((await apply(`${deployments}/d`, deployment('d'))).body, ['spec', 'replicas'])).toBe(5);
  });

  test('lists with keys merge item by item', async () => {
    const { apply, patch } = created();
    const container = (...env: readonly string[]) => ({
      template: {
        metadata: { labels: { app: 'd' } },
        spec: { containers: [{ name: 'main', image: 'i:1', env: env.map((name) => ({ name, value: 'v' })) }] },
      },
    });
    await apply(`${deployments}/d`, deployment('d', container('A', 'B')));
    const sidecar = { spec: { template: { spec: { containers: [{ name: 'sidecar', image: 's:1' }] } } } };
    await patch(`${deployments}/d`, 'strategic', sidecar);
    const { body } = await apply(`${deployments}/d`, deployment('d', container('B', 'C')));
    const containers = getIn(body, ['spec', 'template', 'spec', 'containers']) as {
      name: string;
      env?: { name: string }[];
    }[];
    expect(containers.map(({ name }) => name)).toEqual(['sidecar', 'main']);
    expect(containers[1]?.env?.map(({ name }) => name)).toEqual(['B', 'C']);
  });

  test('a list item that nobody else owns is removed with its default fields', async () => {
    const { apply } = created();
    const volumes = (...names: readonly string[]) => ({
      template: {
        metadata: { labels: { app: 'd' } },
        spec: { containers: [{ name: 'main', image: 'i:1' }, ...names.map((name) => ({ name, image: 'x:1' }))] },
      },
    });
    await apply(`${deployments}/d`, deployment('d', volumes('second')));
    const { body } = await apply(`${deployments}/d`, deployment('d', volumes()));
    expect(getIn(body, ['spec', 'template', 'spec', 'containers'])).toHaveLength(1);
  });

  test('finalizers are a set: each manager adds its own', async () => {
    const { apply } = created();
    await apply(`${maps}/a`, configMap('a', {}, { finalizers: ['x.io/one'] }), 'one');
    await apply(`${maps}/a`, configMap('a', {}, { finalizers: ['x.io/two'] }), 'two');
    const { body } = await apply(`${maps}/a`, configMap('a'), 'one');
    expect(body.metadata.finalizers).toEqual(['x.io/two']);
  });

  test('an update makes its writer the owner of what it changed', async () => {
    const { apply, put } = created();
    const { body } = await apply(`${maps}/a`, configMap('a', { x: '1', y: '2' }));
    const updated = (await put(`${maps}/a?fieldManager=editor`, { ...body, data: { x: 'changed', y: '2', z: '3' } }))
      .body;
    const owners = Object.fromEntries(
      (updated.metadata.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
    );
    expect(owners).toEqual({
      us: { 'f:data': { 'f:y': {} } },
      editor: { 'f:data': { 'f:x': {}, 'f:z': {} } },
    });
  });

  test('needs a manager, a kind and no managedFields', async () => {
    const { patch, apply } = created();
    expect((await patch(`${maps}/a`, 'apply', configMap('a'))).status).toBe(400);
    expect((await apply(`${maps}/a`, { data: {} })).status).toBe(400);
    expect((await apply(`${maps}/a`, configMap('a', {}, { managedFields: [] }))).status).toBe(400);
  });

  test('custom resources merge by the list types of their schema', async () => {
    const { apply, post } = created();
    const item = {
      type: 'object',
      properties: { name: { type: 'string' }, value: { type: 'string' } },
      required: ['name'],
    };
    const schema = {
      type: 'object',
      properties: {
        keyed: { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
        plain: { type: 'array', items: { type: 'string' } },
      },
    };
    await post(crds, thingDefinition(schema));
    await apply(`${things}/t`, thing('t', { keyed: [{ name: 'a', value: '1' }], plain: ['x'] }), 'one');
    const second = await apply(`${things}/t`, thing('t', { keyed: [{ name: 'b', value: '2' }] }), 'two');
    expect(getIn(second.body, ['spec', 'keyed'])).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]);
    const conflicting = await apply(`${things}/t`, thing('t', { plain: ['y'] }), 'two');
    expect(conflicting.body['message']).toContain('.spec.plain');
  });

  test('status is applied through its subresource and owned apart', async () => {
    const { apply, post } = created();
    await post(crds, thingDefinition({ type: 'object', properties: { a: { type: 'string' } } }));
    await apply(`${things}/t`, { ...thing('t', { a: '1' }), status: { ignored: true } });
    const { body } = await apply(
      `${things}/t/status`,
      { ...thing('t', { a: 'ignored' }), status: { ready: true } },
      'controller',
    );
    expect(body).toMatchObject({ spec: { a: '1' }, status: { ready: true } });
    expect(body['status']).not.toHaveProperty('ignored');
    const entry = body.metadata.managedFields?.find(({ manager }) => manager === 'controller');
    expect(entry).toMatchObject({ subresource: 'status', fieldsV1: { 'f:status': { 'f:ready': {} } } });
  });
});
