import { describe, expect, test } from 'vitest';
import { configMap, deployment, node, thing, thingDefinition } from '../testing/builders.ts';
import { createTestServer } from '../testing/raw-client.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const accept = (kind: string) => ({ accept: `application/json;as=${kind};v=v1;g=meta.k8s.io,application/json` });

describe('discovery', () => {
  test('lists groups, versions and resources, in the old form and aggregated', async () => {
    const { get, request } = createTestServer();
    expect((await get('/api')).body['versions']).toEqual(['v1']);
    expect((await get('/apis')).text).toContain('"groupVersion":"apps/v1"');
    expect((await get('/apis/apps')).body).toMatchObject({
      kind: 'APIGroup',
      preferredVersion: { groupVersion: 'apps/v1' },
    });
    const { resources } = (await get('/apis/apps/v1')).body as unknown as { resources: { name: string }[] };
    expect(resources.map(({ name }) => name)).toContain('deployments/scale');
    const headers = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json' };
    const aggregated = await request('GET', '/apis', { headers });
    expect(aggregated.headers['content-type']).toContain('apidiscovery');
    expect(aggregated.text).toContain('"singularResource":"deployment"');
  });

  test.each(['/apis/none.test/v1', '/api/v2', '/apis/none.test/v1/things', '/api/v1/nones', '/nothing'])(
    '%s is not found',
    async (path) => {
      const reply = await createTestServer().get(path);
      expect([reply.status, reply.text]).toEqual([404, '404 page not found\n']);
    },
  );

  test('returns the schemas of custom resources, as kubectl explain needs them', async () => {
    const { post, get } = createTestServer();
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', thingDefinition({ type: 'object' }));
    expect((await get('/openapi/v3/apis/example.com/v1')).body).toMatchObject({
      components: {
        schemas: {
          'com.example.v1.Thing': {
            properties: { kind: { type: 'string' }, spec: { type: 'object' } },
            'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Thing' }],
          },
        },
      },
    });
  });

  test('returns its version and reports that it is healthy', async () => {
    const { get } = createTestServer({ version: 'v1.31.2' });
    expect((await get('/version')).body).toMatchObject({ major: '1', minor: '31', gitVersion: 'v1.31.2' });
    expect((await get('/readyz')).text).toBe('ok');
  });
});

describe('representations', () => {
  test('a table has the columns of its kind, and rows of a watch come one by one', async () => {
    const { post, request } = createTestServer();
    await post('/api/v1/nodes', node('n1', { unschedulable: true }));
    const { body } = await request('GET', '/api/v1/nodes', { headers: accept('Table') });
    expect(body).toMatchObject({
      kind: 'Table',
      rows: [
        {
          cells: [
            'n1',
            'Ready,SchedulingDisabled',
            '<none>',
            '0s',
            '',
            '<none>',
            '<none>',
            '<unknown>',
            '<unknown>',
            '<unknown>',
          ],
        },
      ],
    });
  });

  test('metadata alone can be requested', async () => {
    const { post, request } = createTestServer();
    await post(maps, configMap('a', { x: 'y' }));
    const { body } = await request('GET', `${maps}/a`, { headers: accept('PartialObjectMetadata') });
    expect(body).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
    expect(body).not.toHaveProperty('data');
  });

  test.each([
    ['an unknown representation', { accept: 'application/cbor' }, 406],
    ['an unknown body', { 'content-type': 'application/cbor' }, 415],
  ])('%s is refused', async (_, headers, code) => {
    const { request } = createTestServer();
    expect((await request('POST', maps, { headers, body: configMap('a') })).status).toBe(code);
  });

  test('a body in YAML is accepted, and refused if it is invalid', async () => {
    const { sim, get } = createTestServer();
    const post = async (body: string) =>
      (await sim.handler({ method: 'POST', path: maps, headers: { 'content-type': 'application/yaml' }, body })).status;
    expect(await post('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: written }\ndata:\n  a: |\n    b\n')).toBe(
      201,
    );
    expect((await get(`${maps}/written`)).body).toMatchObject({ data: { a: 'b\n' } });
    expect(await post('a: [')).toBe(400);
  });

  test('a body in protobuf is accepted for the kinds that kubectl writes in this form', async () => {
    const { sim, get } = createTestServer();
    const field = (number: number, content: Buffer | string) =>
      Buffer.concat([Buffer.from([(number << 3) | 2, Buffer.byteLength(content)]), Buffer.from(content)]);
    const entry = Buffer.concat([field(1, 'user'), field(2, 'secret')]);
    const secret = Buffer.concat([field(1, field(1, 'login')), field(2, entry), field(3, 'Opaque')]);
    const typeMeta = Buffer.concat([field(1, 'v1'), field(2, 'Secret')]);
    const body = Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, secret)]);
    const path = '/api/v1/namespaces/default/secrets';
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    expect((await sim.handler({ method: 'POST', path, headers, body })).status).toBe(201);
    expect((await get(`${path}/login`)).body['data']).toEqual({ user: Buffer.from('secret').toString('base64') });
  });
});

describe('subresources', () => {
  test.each(['exec', 'attach', 'portforward'])('%s of a pod is said to be missing here, not the pod', async (name) => {
    const { post, request } = createTestServer();
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'main', image: 'x' }] };
    await post(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
    const { status, body } = await request('POST', `${pods}/a/${name}`);
    expect({ status, message: body['message'] }).toEqual({
      status: 501,
      message: `this API server is a simulated one and does not serve pods/${name}: what pods write is in their log (kubectl logs a)`,
    });
    expect((await request('POST', `${pods}/a/brew`)).status).toBe(404);
  });

  test('a scale is read and written', async () => {
    const { post, put, get } = createTestServer();
    const path = '/apis/apps/v1/namespaces/default/deployments';
    await post(path, deployment('d', { replicas: 2 }));
    const scale = (await get(`${path}/d/scale`)).body;
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 0, selector: 'app=d' } });
    expect((await put(`${path}/d/scale`, { ...scale, spec: { replicas: 4 } })).body['spec']).toEqual({ replicas: 4 });
    expect((await get(`${path}/d`)).body['spec']).toMatchObject({ replicas: 4 });
  });

  test('a service account gets tokens that are accepted and expire', async () => {
    const { clock, post, request } = createTestServer();
    await post('/api/v1/namespaces/default/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    });
    const asked = await post('/api/v1/namespaces/default/serviceaccounts/robot/token', {
      spec: { expirationSeconds: 600 },
    });
    const { token } = asked.body['status'] as { token: string };
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const { body } = await post('/apis/authentication.k8s.io/v1/tokenreviews', review);
    expect(body['status']).toMatchObject({
      authenticated: true,
      user: { username: 'system:serviceaccount:default:robot' },
    });
    const headers = { authorization: `Bearer ${token}` };
    expect((await request('GET', maps, { headers })).status).toBe(200);
    await clock.advance(601_000);
    expect((await request('GET', maps, { headers })).status).toBe(401);
  });

  test('an unknown one is not found', async () => {
    const { post, get } = createTestServer();
    await post(maps, configMap('a'));
    expect((await get(`${maps}/a/status`)).status).toBe(404);
  });

  test('a second version of a custom resource returns the same objects', async () => {
    const { post, get } = createTestServer();
    const crd = thingDefinition({ type: 'object' });
    const [v1] = (crd['spec'] as { versions: object[] }).versions;
    const versions = [v1, { ...v1, name: 'v1beta1', storage: false }];
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      ...crd,
      spec: { ...(crd['spec'] as object), versions },
    });
    await post('/apis/example.com/v1/namespaces/default/things', thing('t'));
    expect((await get('/apis/example.com/v1beta1/namespaces/default/things/t')).body).toMatchObject({
      apiVersion: 'example.com/v1beta1',
      kind: 'Thing',
    });
  });
});
