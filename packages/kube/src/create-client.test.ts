import { HttpFailure } from '@vdo/base/http-failure';
import { createMetrics } from '@vdo/base/metrics';
import { isVdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createKubeClient, type KubeClientOptions } from './create-client.ts';
import { createScriptedTransport, json, refuse, type ScriptedAnswer, streamOf } from './testing/scripted-transport.ts';
import { leases } from './types/cluster.ts';
import { configMaps, type Node, nodes, pods, serviceAccounts } from './types/core.ts';
import type { WatchEvent } from './types/object.ts';
import { deployments } from './types/workloads.ts';

const setUp = (script: readonly ScriptedAnswer[], options: Partial<KubeClientOptions> = {}) => {
  const clock = createVirtualClock();
  const scripted = createScriptedTransport(...script);
  const client = createKubeClient({ transport: scripted.transport, clock, server: 'https://k8s.test', ...options });
  return { clock, client, scripted, paths: () => scripted.requests.map(({ method, path }) => `${method} ${path}`) };
};

const node = (name: string, resourceVersion = '1'): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, resourceVersion },
  spec: {},
});
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'a' } });

describe('requests', () => {
  test('get, find and delete tell a missing object apart from a missing kind', async () => {
    const missing = refuse(404, 'NotFound', 'nodes "n" not found', { name: 'n', kind: 'nodes' });
    const { client } = setUp([missing, missing, missing, () => ({ ...textPage(404) })]);
    await expect(client.get(nodes, { name: 'n' })).rejects.toMatchObject({ code: 'KubeNotFound' });
    expect(await client.find(nodes, { name: 'n' })).toBeUndefined();
    expect(await client.delete(nodes, { name: 'n' })).toBe(false);
    await expect(client.find(nodes, { name: 'n' })).rejects.toMatchObject({ code: 'KubeResourceMissing' });
  });

  test('writes carry the field manager, dry run and the kind that a caller left out', async () => {
    const answers = Array.from({ length: 4 }, () => json(configMap('c')));
    const { client, scripted, paths } = setUp(answers, { fieldManager: 'vdo-operator' });
    await client.create(configMaps, { ...configMap('c'), apiVersion: '', kind: '' }, { dryRun: true });
    await client.update(configMaps, configMap('c'), { subresource: 'status' });
    await client.patch(configMaps, { name: 'c', namespace: 'a' }, { type: 'merge', body: { data: { x: '1' } } });
    await client.apply(configMaps, configMap('c'), { fieldManager: 'other', force: true });
    expect(paths()).toEqual([
      'POST /api/v1/namespaces/a/configmaps?dryRun=All&fieldManager=vdo-operator',
      'PUT /api/v1/namespaces/a/configmaps/c/status?fieldManager=vdo-operator',
      'PATCH /api/v1/namespaces/a/configmaps/c?fieldManager=vdo-operator',
      'PATCH /api/v1/namespaces/a/configmaps/c?fieldManager=other&force=true',
    ]);
    expect(scripted.body(0)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(scripted.requests.map(({ headers }) => headers['content-type'])).toEqual([
      'application/json',
      'application/json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
    ]);
  });

  test('the precondition is checked right before each send, and nothing is sent if it fails', async () => {
    const throttled = refuse(429, 'TooManyRequests', 'wait', {}, { 'retry-after': '2' });
    const { client, clock, scripted } = setUp([json(configMap('c')), throttled], { qps: 1, burst: 1 });
    const askedAtMs: number[] = [];
    const beforeSend = () => {
      askedAtMs.push(clock.monotonicMs());
      if (askedAtMs.length === 2) throw new Error('not held any more');
    };
    const key = { name: 'c', namespace: 'a' };
    await client.get(configMaps, key);
    const outcome = client.delete(configMaps, key, { beforeSend }).catch((error) => error.message);
    await clock.advance(10_000);
    // The rate limit delays the first send by a second, and the server asks for two more.
    expect(askedAtMs).toEqual([1_000, 3_000]);
    expect(scripted.requests).toHaveLength(2);
    expect(await outcome).toContain('not held any more');
  });

  test('apply leaves managedFields out, which the server refuses', async () => {
    const { client, scripted } = setUp([json(configMap('c'))]);
    const read = { ...configMap('c'), metadata: { name: 'c', namespace: 'a', managedFields: [{ manager: 'x' }] } };
    await client.apply(configMaps, read, { fieldManager: 'vdo' });
    expect(scripted.body(0)).toEqual({ ...configMap('c') });
  });

  test('delete names the incarnation and the propagation in its body', async () => {
    const { client, scripted } = setUp([json({ kind: 'Status', status: 'Success' })]);
    const done = await client.delete(pods, { name: 'p', namespace: 'a' }, { uid: 'u-1', propagation: 'Foreground' });
    expect(done).toBe(true);
    expect(scripted.body(0)).toMatchObject({ preconditions: { uid: 'u-1' }, propagationPolicy: 'Foreground' });
  });

  test('a subresource is created below the name of its parent', async () => {
    const { client, paths } = setUp([json({})]);
    await client.create(serviceAccounts, { ...configMap('sa'), kind: 'TokenRequest' }, { subresource: 'token' });
    expect(paths()).toEqual(['POST /api/v1/namespaces/a/serviceaccounts/sa/token']);
  });

  test('an object without a name cannot be updated', async () => {
    const { client } = setUp([]);
    const nameless = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'a' } };
    await expect(client.update(configMaps, nameless)).rejects.toMatchObject({ code: 'InvalidArgument' });
  });

  test('paths have a prefix if the API server is below a path', async () => {
    const { client, paths } = setUp([json(node('n'))], { basePath: '/k8s/clusters/c-1' });
    await client.get(nodes, { name: 'n' });
    expect(paths()).toEqual(['GET /k8s/clusters/c-1/api/v1/nodes/n']);
  });
});

describe('list', () => {
  const page = (names: readonly string[], next = '') =>
    json({ metadata: { resourceVersion: '7', continue: next }, items: names.map((name) => ({ metadata: { name } })) });

  test('follows the pages and gives each item its kind', async () => {
    const { client, paths } = setUp([page(['a', 'b'], 'next'), page(['c'])]);
    const { items, metadata } = await client.list(nodes, { limit: 2, labelSelector: 'x=y' });
    expect(items.map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual(['Node a', 'Node b', 'Node c']);
    expect(metadata.resourceVersion).toBe('7');
    expect(paths()[1]).toBe('GET /api/v1/nodes?labelSelector=x%3Dy&limit=2&continue=next');
  });

  test('reads everything in one page if the snapshot of its pages is compacted', async () => {
    const { client, paths } = setUp([page(['a'], 'next'), refuse(410, 'Expired', 'too old'), page(['a', 'b'])]);
    const { items } = await client.list(nodes, { limit: 1 });
    expect(items).toHaveLength(2);
    expect(paths()[2]).toBe('GET /api/v1/nodes?limit=0');
  });

  test('returns page by page, and requests no more pages than needed', async () => {
    const { client, paths } = setUp([page(['a'], 'two'), page(['b'], 'three')]);
    const names: unknown[] = [];
    for await (const { items } of client.pages(nodes, { limit: 1 })) {
      names.push(...items.map(({ metadata }) => metadata.name));
      if (names.length === 2) break;
    }
    expect(names).toEqual(['a', 'b']);
    expect(paths()).toEqual(['GET /api/v1/nodes?limit=1', 'GET /api/v1/nodes?limit=1&continue=two']);
  });
});

describe('repetition', () => {
  test('waits as long as Retry-After says, longer each time, and gives up after six attempts', async () => {
    const throttle = refuse(429, 'TooManyRequests', 'slow down', {}, { 'retry-after': '2' });
    const { client, clock } = setUp([throttle, throttle, json(node('n'))]);
    const reading = client.get(nodes, { name: 'n' });
    await clock.advance(6000);
    expect((await reading).metadata.name).toBe('n');
    expect(clock.monotonicMs()).toBe(6000);

    const stubborn = setUp(Array.from({ length: 10 }, () => throttle));
    const failing = expect(stubborn.client.get(nodes, { name: 'n' })).rejects.toMatchObject({ code: 'KubeThrottled' });
    await stubborn.clock.advance(60_000);
    await failing;
    expect(stubborn.scripted.requests).toHaveLength(6);
  });

  test('repeats a read if its connection breaks, but never a write', async () => {
    const broken: ScriptedAnswer = () => Promise.reject(new HttpFailure('interrupted', 'socket hang up'));
    const read = setUp([broken, broken, json(node('n'))]);
    expect((await read.client.get(nodes, { name: 'n' })).metadata.name).toBe('n');
    const write = setUp([broken]);
    await expect(write.client.create(nodes, node('n'))).rejects.toMatchObject({ code: 'KubeUnreachable' });
  });

  test('renews the credentials once after a 401', async () => {
    const expired = refuse(401, 'Unauthorized', 'Unauthorized');
    let token = 'old';
    const credentials = {
      authHeaders: async () => ({ authorization: `Bearer ${token}` }),
      refreshCredentials: async () => {
        token = 'new';
        return true;
      },
    };
    const cured = setUp([expired, json(node('n'))], credentials);
    await cured.client.get(nodes, { name: 'n' });
    expect(cured.scripted.requests.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer old',
      'Bearer new',
    ]);
    const hopeless = setUp([expired, expired], credentials);
    await expect(hopeless.client.get(nodes, { name: 'n' })).rejects.toMatchObject({ code: 'KubeUnauthorized' });
  });

  test('an attempt that takes too long is ended', async () => {
    let aborted = false;
    const silent: ScriptedAnswer = ({ signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason);
        }),
      );
    const { client, clock } = setUp([silent]);
    const failing = expect(client.get(nodes, { name: 'n' })).rejects.toMatchObject({ code: 'KubeUnreachable' });
    await clock.advance(30_000);
    await failing;
    expect(aborted).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  test('an abort by the caller ends the wait with its own reason', async () => {
    const { client } = setUp([refuse(429, 'TooManyRequests', 'slow', {}, { 'retry-after': '60' })]);
    const controller = new AbortController();
    const reading = client.get(nodes, { name: 'n' }, { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('stopping'));
    await expect(reading).rejects.toThrow('stopping');
  });
});

describe('watch', () => {
  const collect = async (events: AsyncIterable<WatchEvent<Node>>) => {
    const seen: string[] = [];
    for await (const { type, object } of events)
      seen.push(`${type} ${object.metadata.name ?? object.metadata.resourceVersion}`);
    return seen;
  };
  const added = (name: string) => ({ type: 'ADDED', object: node(name) });

  test('gives events until the server ends the stream', async () => {
    const { client, paths } = setUp([streamOf([added('a'), added('b')])]);
    expect(await collect(client.watch(nodes, { resourceVersion: '5' }))).toEqual(['ADDED a', 'ADDED b']);
    expect(paths()).toEqual(['GET /api/v1/nodes?resourceVersion=5&watch=true&allowWatchBookmarks=true']);
  });

  test('throws what an ERROR event says', async () => {
    const gone = {
      kind: 'Status',
      status: 'Failure',
      code: 410,
      reason: 'Expired',
      message: 'too old resource version',
    };
    const { client } = setUp([streamOf([added('a'), { type: 'ERROR', object: gone }])]);
    await expect(collect(client.watch(nodes))).rejects.toMatchObject({ code: 'KubeGone' });
  });

  test('ends with the reason of the abort', async () => {
    const { client } = setUp([streamOf([added('a')], { open: true })]);
    const controller = new AbortController();
    const watching = collect(client.watch(nodes, { signal: controller.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('stopping'));
    await expect(watching).rejects.toThrow('stopping');
  });

  test('treats a silent stream as broken', async () => {
    const { client, clock } = setUp([streamOf([added('a')], { open: true })]);
    const watching = expect(collect(client.watch(nodes, { idleTimeoutMs: 90_000 }))).rejects.toMatchObject({
      code: 'KubeUnreachable',
    });
    await clock.advance(90_000);
    await watching;
  });

  test('a consumer that stops early ends the exchange', async () => {
    const { client, scripted } = setUp([streamOf([added('a'), added('b')], { open: true })]);
    for await (const _ of client.watch(nodes)) break;
    expect(scripted.requests[0]?.signal?.aborted).toBe(true);
  });
});

describe('discovery', () => {
  const apps = json({
    resources: [
      { name: 'deployments', kind: 'Deployment', namespaced: true },
      { name: 'deployments/scale', kind: 'Scale', namespaced: true },
    ],
  });

  test('finds the resource of a kind and asks once', async () => {
    const { client, scripted } = setUp([apps]);
    expect(await client.resourceFor('apps/v1', 'Deployment')).toEqual(deployments);
    await client.resourceFor('apps/v1', 'Deployment');
    expect(scripted.requests).toHaveLength(1);
  });

  test('asks again for a missing kind, because its CRD may have been created meanwhile', async () => {
    const { client } = setUp([() => textPage(404), apps]);
    await expect(client.resourceFor('apps/v1', 'Deployment')).rejects.toMatchObject({ code: 'KubeResourceMissing' });
    expect(await client.resourceFor('apps/v1', 'Deployment')).toEqual(deployments);
  });

  test('returns the version', async () => {
    const { client } = setUp([json({ gitVersion: 'v1.34.4' })]);
    expect(await client.serverVersion()).toBe('v1.34.4');
  });
});

test('the rate limit allows a burst, and delays neither Leases nor further pages', async () => {
  const page = (next: string) => json({ metadata: { continue: next }, items: [] });
  const answers = [json(node('n')), page('1'), page('2'), page(''), json({}), json(node('n'))];
  const { client, clock, scripted } = setUp(answers, { qps: 1, burst: 2 });
  const work = (async () => {
    await client.get(nodes, { name: 'n' });
    await client.list(nodes);
    await client.get(leases, { namespace: 'a', name: 'l' });
    await client.get(nodes, { name: 'n' });
  })();
  await clock.advance(0);
  expect(scripted.requests).toHaveLength(5);
  await clock.advance(1_000);
  await work;
  expect(scripted.requests).toHaveLength(6);
});

test('requests are counted by verb, resource and outcome', async () => {
  const metrics = createMetrics();
  const { client } = setUp([json(node('n')), refuse(500, 'InternalError', 'boom')], { metrics });
  await client.get(nodes, { name: 'n' });
  await client.get(nodes, { name: 'n' }).catch((error) => expect(isVdoError(error, 'KubeServerError')).toBe(true));
  const { body } = await metrics.expose();
  expect(body).toContain('vdo_kube_requests_total{verb="get",resource="nodes",code="ok"} 1');
  expect(body).toContain('vdo_kube_requests_total{verb="get",resource="nodes",code="500"} 1');
});

const textPage = (status: number) => ({
  status,
  headers: {},
  body: (async function* () {
    yield new TextEncoder().encode('404 page not found\n');
  })(),
});
