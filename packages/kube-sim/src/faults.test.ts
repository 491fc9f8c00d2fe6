import { describe, expect, test } from 'vitest';
import { configMap } from './testing/builders.ts';
import { createTestServer } from './testing/raw-client.ts';

const maps = '/api/v1/namespaces/default/configmaps';

describe('faults', () => {
  test('an error occurs as often as specified, with its retry time', async () => {
    const { sim, get } = createTestServer();
    sim.faults.add({ match: { verb: 'list' }, times: 2, effect: { kind: 'error', code: 429, retryAfterSeconds: 3 } });
    const first = await get(maps);
    expect(first.body).toMatchObject({ code: 429, reason: 'TooManyRequests' });
    expect(first.headers['retry-after']).toBe('3');
    expect([(await get(maps)).status, (await get(maps)).status]).toEqual([429, 200]);
  });

  test('a rule can be removed', async () => {
    const { sim, get } = createTestServer();
    const remove = sim.faults.add({ effect: { kind: 'error', code: 500 } });
    expect((await get(maps)).status).toBe(500);
    remove();
    expect((await get(maps)).status).toBe(200);
  });

  test('latency passes on the clock', async () => {
    const { sim, clock, get } = createTestServer();
    sim.faults.add({ effect: { kind: 'latency', delayMs: 500 } });
    let isDone = false;
    const reply = get(maps).then(() => {
      isDone = true;
    });
    await clock.advance(499);
    expect(isDone).toBe(false);
    await clock.advance(1);
    await reply;
  });

  test('a user without permission gets the missing rule, and access reviews agree', async () => {
    const { sim, request } = createTestServer();
    sim.faults.add({ match: { user: 'robot', verb: 'list', resource: 'configmaps' }, effect: { kind: 'deny' } });
    const headers = { 'impersonate-user': 'robot' };
    const { body } = await request('GET', maps, { headers });
    expect(body).toMatchObject({
      code: 403,
      message:
        'configmaps is forbidden: User "robot" cannot list resource "configmaps" in API group "" in the namespace "default"',
    });
    expect((await request('GET', `${maps}/x`, { headers })).status).toBe(404);
    const review = (verb: string) => ({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb, resource: 'configmaps', namespace: 'default' } },
    });
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    expect((await request('POST', path, { headers, body: review('list') })).body['status']).toMatchObject({
      allowed: false,
    });
    expect((await request('POST', path, { headers, body: review('get') })).body['status']).toEqual({ allowed: true });
  });

  test('a lost reply hides a write that happened', async () => {
    const { sim, post, get } = createTestServer();
    sim.faults.add({ match: { verb: 'create' }, times: 1, effect: { kind: 'lose-reply' } });
    await expect(post(maps, configMap('a'))).rejects.toThrow('connection broke');
    expect((await get(`${maps}/a`)).status).toBe(200);
  });

  test('a broken connection prevents it', async () => {
    const { sim, post, get } = createTestServer();
    sim.faults.add({ match: { verb: 'create' }, times: 1, effect: { kind: 'disconnect' } });
    await expect(post(maps, configMap('a'))).rejects.toThrow('connection broke');
    expect((await get(`${maps}/a`)).status).toBe(404);
  });

  test('stale reads return an older state, for lists and objects', async () => {
    const { sim, post, get, patch } = createTestServer();
    await post(maps, configMap('a', { n: '1' }));
    await patch(`${maps}/a`, 'merge', { data: { n: '2' } });
    sim.faults.add({ effect: { kind: 'stale', revisions: 1 } });
    expect((await get(`${maps}/a`)).body['data']).toEqual({ n: '1' });
    expect((await get(maps)).body.items[0]).toMatchObject({ data: { n: '1' } });
  });

  test('watches drop after a time', async () => {
    const { sim, clock, watch } = createTestServer();
    sim.faults.add({ match: { verb: 'watch' }, times: 1, effect: { kind: 'drop-watch', afterMs: 100 } });
    const line = (await watch(`${maps}?watch=true`)).next();
    const outcome = expect(line).rejects.toThrow('connection broke');
    await clock.advance(100);
    await outcome;
  });

  test('an interrupted server is back after a while, with its state', async () => {
    const { sim, clock, post, get, watch } = createTestServer();
    const { resourceVersion } = (await post(maps, configMap('a'))).body.metadata;
    const line = (await watch(`${maps}?watch=true&resourceVersion=${resourceVersion}`)).next();
    sim.interrupt(5_000);
    await expect(line).rejects.toThrow('connection broke');
    await expect(get(maps)).rejects.toThrow('connection broke');
    await clock.advance(5_000);
    await post(maps, configMap('b'));
    const resumed = await watch(`${maps}?watch=true&resourceVersion=${resourceVersion}`);
    expect((await resumed.next())?.object.metadata.name).toBe('b');
  });

  test('a snapshot starts another server with the same objects', async () => {
    const first = createTestServer();
    await first.post(maps, configMap('a', { x: 'y' }));
    const snapshot = JSON.parse(JSON.stringify(first.sim.snapshot()));
    const second = createTestServer({ snapshot });
    expect((await second.get(`${maps}/a`)).body).toEqual((await first.get(`${maps}/a`)).body);
    const created = (await second.post(maps, configMap('b'))).body;
    expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(snapshot.revision);
  });
});
