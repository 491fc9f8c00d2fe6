import { describe, expect, test } from 'vitest';
import { thing, thingDefinition } from '../testing/builders.ts';
import { createTestServer } from '../testing/raw-client.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/example.com/v1/namespaces/default/things';
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

const schema = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 5 },
    mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
    name: { type: 'string', pattern: '^[a-z]+$', minLength: 2 },
    when: { type: 'string', format: 'date-time' },
    port: { 'x-kubernetes-int-or-string': true },
    nested: { type: 'object', default: {}, properties: { on: { type: 'boolean', default: true } } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    maybe: { type: 'string', nullable: true },
    set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 3 },
    choice: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
  },
};

const withThings = async () => {
  const server = createTestServer();
  expect((await server.post(crds, thingDefinition(schema))).status).toBe(201);
  return server;
};

describe('custom resources', () => {
  test('are served as soon as their CRD exists, and listed by discovery', async () => {
    const server = createTestServer();
    expect((await server.get(things)).status).toBe(404);
    const { body } = await server.post(crds, thingDefinition(schema));
    expect(body['status']).toMatchObject({
      acceptedNames: { listKind: 'ThingList', singular: 'thing' },
      storedVersions: ['v1'],
    });
    expect((await server.get(things)).body).toMatchObject({ kind: 'ThingList', items: [] });
    const { resources } = (await server.get('/apis/example.com/v1')).body as unknown as {
      resources: { name: string }[];
    };
    expect(resources.map(({ name }) => name)).toEqual(['things', 'things/status']);
  });

  test('get defaults, lose unknown fields, keep free ones', async () => {
    const { post } = await withThings();
    const { body, headers } = await post(
      things,
      thing('t', { size: 1, bogus: 1, any: { x: [1] }, nested: {}, maybe: null, port: '80' }),
    );
    expect(body['spec']).toEqual({
      size: 1,
      mode: 'fast',
      any: { x: [1] },
      nested: { on: true },
      maybe: null,
      port: '80',
    });
    expect(headers['warning']).toBe('299 - "unknown field \\"spec.bogus\\""');
  });

  test('refuse unknown fields if validation is strict', async () => {
    const { post } = await withThings();
    const { body } = await post(`${things}?fieldValidation=Strict`, thing('t', { size: 1, bogus: 1 }));
    expect(body).toMatchObject({ code: 400, message: 'strict decoding error: unknown field "spec.bogus"' });
  });

  test.each([
    ['a missing field', {}, 'spec.size: Required value'],
    [
      'a wrong type',
      { size: 'x' },
      'spec.size: Invalid value: "x": spec.size in body must be of type integer: "string"',
    ],
    ['a number below its minimum', { size: 0 }, 'spec.size in body should be greater than or equal to 1'],
    ['a number above its maximum', { size: 9 }, 'spec.size in body should be less than or equal to 5'],
    [
      'a value outside its enum',
      { size: 1, mode: 'odd' },
      'spec.mode: Unsupported value: "odd": supported values: "fast", "slow"',
    ],
    ['a text against its pattern', { size: 1, name: 'A1' }, "spec.name in body should match '^[a-z]+$'"],
    ['a text that is too short', { size: 1, name: 'a' }, 'should be at least 2 chars long'],
    ['a bad date', { size: 1, when: 'today' }, 'must be of type date-time'],
    ['an item twice in a set', { size: 1, set: ['a', 'a'] }, 'spec.set[1]: Duplicate value: "a"'],
    ['too many items', { size: 1, set: ['a', 'b', 'c', 'd'] }, 'spec.set: Too many: 4: must have at most 3 items'],
    ['a wrong value in a map', { size: 1, labels: { a: 1 } }, 'must be of type string'],
    ['a bool where int or string goes', { size: 1, port: true }, 'must be of type integer,string'],
    ['two alternatives at once', { size: 1, choice: { a: 'x', b: 'y' } }, 'oneOf'],
  ])('%s is Invalid', async (_, spec, message) => {
    const { post } = await withThings();
    const { body } = await post(things, thing('t', spec));
    expect(body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { name: 't', group: 'example.com', kind: 'Thing' },
    });
    expect(body['message']).toContain(message);
  });

  test('an update must contain its resource version', async () => {
    const { post, put } = await withThings();
    await post(things, thing('t', { size: 1 }));
    expect((await put(`${things}/t`, thing('t', { size: 2 }))).body['message']).toContain('metadata.resourceVersion');
  });

  test('do not support strategic patches', async () => {
    const { post, patch } = await withThings();
    await post(things, thing('t', { size: 1 }));
    expect((await patch(`${things}/t`, 'strategic', { spec: { size: 2 } })).status).toBe(415);
    expect((await patch(`${things}/t`, 'merge', { spec: { size: 2 } })).status).toBe(200);
  });

  test('show their printer columns', async () => {
    const server = createTestServer();
    const columns = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Zone', type: 'string', jsonPath: '.metadata.labels.topology\\.io/zone', priority: 1 },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ];
    await server.post(crds, thingDefinition(schema, { additionalPrinterColumns: columns }));
    await server.post(things, {
      ...thing('t', { size: 3 }),
      metadata: { name: 't', labels: { 'topology.io/zone': 'z1' } },
    });
    await server.patch(`${things}/t/status`, 'merge', {
      status: {
        conditions: [
          { type: 'Other', status: 'x' },
          { type: 'Ready', status: 'True' },
        ],
      },
    });
    await server.clock.advance(125_000);
    const { body } = await server.request('GET', things, { headers: table });
    expect(body).toMatchObject({
      kind: 'Table',
      columnDefinitions: [
        { name: 'Name' },
        { name: 'Size' },
        { name: 'Ready' },
        { name: 'Zone', priority: 1 },
        { name: 'Age' },
      ],
      rows: [
        { cells: ['t', 3, 'True', 'z1', '2m5s'], object: { kind: 'PartialObjectMetadata', metadata: { name: 't' } } },
      ],
    });
  });

  test('scale through the paths of their CRD', async () => {
    const server = createTestServer();
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    await server.post(crds, thingDefinition(schema, { subresources: { status: {}, scale } }));
    await server.post(things, thing('t', { size: 1 }));
    expect((await server.patch(`${things}/t/scale`, 'merge', { spec: { replicas: 4 } })).body).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 4 },
    });
    expect((await server.get(`${things}/t`)).body['spec']).toMatchObject({ size: 4 });
  });

  test('are deleted with their CRD, after their finalizers', async () => {
    const { post, delete: remove, get, patch } = await withThings();
    await post(things, thing('plain', { size: 1 }));
    await post(things, { ...thing('held', { size: 1 }), metadata: { name: 'held', finalizers: ['example.com/x'] } });
    expect((await remove(`${crds}/things.example.com`)).body.metadata.deletionTimestamp).toBeDefined();
    expect((await get(things)).body.items.map(({ metadata }) => metadata.name)).toEqual(['held']);
    await patch(`${things}/held`, 'merge', { metadata: { finalizers: null } });
    await Promise.resolve();
    expect((await get(`${crds}/things.example.com`)).status).toBe(404);
    expect((await get(things)).status).toBe(404);
  });

  test.each([
    ['a name that is not plural.group', { metadata: { name: 'wrong' } }, 'metadata.name'],
    ['no version to store', { spec: { ...(thingDefinition({}).spec as object), versions: [] } }, 'storage version'],
    ['a schema without types', thingDefinition({ properties: { a: {} } }), 'properties[spec].type: Required value'],
  ])('a definition with %s is Invalid', async (_, change, message) => {
    const { post } = createTestServer();
    const { body } = await post(crds, { ...thingDefinition(schema), ...change });
    expect(body).toMatchObject({ code: 422 });
    expect(body['message']).toContain(message);
  });
});
