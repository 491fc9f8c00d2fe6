import { httpResponse } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import type { KubeClient } from '../client.ts';
import { createKubeClient } from '../create-client.ts';
import { createScriptedTransport, json, refuse, type ScriptedAnswer } from '../testing/scripted-transport.ts';
import type { KubeObject } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';
import { createAuthorizedHandler, proxiedToken } from './authorized-handler.ts';

const known = json({ status: { authenticated: true, user: { username: 'prometheus', groups: ['g'] } } });
const unknown = json({ status: { authenticated: false } });
const allowed = json({ status: { allowed: true } });
const denied = json({ status: { allowed: false } });

const setUp = (...script: ScriptedAnswer[]) => {
  const clock = createVirtualClock();
  const scripted = createScriptedTransport(...script);
  const handler = createAuthorizedHandler({
    handler: async () => httpResponse(200, 'served'),
    client: createKubeClient({ transport: scripted.transport, clock }),
    clock,
    logger: silentLogger,
  });
  const ask = async (path: string, authorization?: string) =>
    (await handler({ method: 'GET', path, headers: authorization ? { authorization } : {} })).status;
  return { clock, scripted, ask };
};

/** An API server that knows one token for its own audience and one for the metrics. */
const withReviewer = () => {
  const clock = createVirtualClock();
  const asked: { readonly token: string; readonly audiences?: readonly string[] }[] = [];
  const create = async (resource: Resource, object: KubeObject & { readonly spec?: unknown }) => {
    if (resource.plural !== 'tokenreviews') return { ...object, status: { allowed: true } };
    const spec = object.spec as (typeof asked)[number];
    asked.push(spec);
    const audience = spec.audiences?.[0];
    const authenticated = spec.token === (audience === undefined ? 'prometheus' : 'for-metrics');
    const audiences = audience === undefined ? {} : { audiences: [audience] };
    return { ...object, status: { authenticated, user: { username: 'reader' }, ...audiences } };
  };
  const client = { create } as unknown as Pick<KubeClient, 'create'>;
  const served = async () => httpResponse(200, 'served');
  const handler = createAuthorizedHandler({ handler: served, client, clock, logger: silentLogger });
  return { clock, handler, asked, reviews: () => asked.length };
};

describe('a handler that asks the API server', () => {
  test('serves metrics to users with the permission', async () => {
    const { ask, scripted } = setUp(known, allowed);
    expect(await ask('/metrics?x=1', 'Bearer obviously-fake')).toBe(200);
    expect(scripted.body(0)).toMatchObject({ kind: 'TokenReview', spec: { token: 'obviously-fake' } });
    expect(scripted.body(1)).toMatchObject({
      kind: 'SubjectAccessReview',
      spec: { user: 'prometheus', groups: ['g'], nonResourceAttributes: { path: '/metrics', verb: 'get' } },
    });
  });

  test.each([
    ['no token', undefined, [], 401],
    ['other credentials', 'Basic eDp5', [], 401],
    ['an unknown token', 'Bearer t', [unknown], 401],
    ['a user without the right', 'Bearer t', [known, denied], 403],
    ['an API server that does not answer', 'Bearer t', [refuse(500, 'InternalError', 'no')], 500],
  ])('refuses %s', async (_, authorization, script, status) => {
    expect(await setUp(...script).ask('/metrics', authorization)).toBe(status);
  });

  test('asks again after a minute, not sooner', async () => {
    const { ask, scripted, clock } = setUp(known, allowed, known, denied);
    expect(await ask('/metrics', 'Bearer t')).toBe(200);
    await clock.advance(59_000);
    expect(await ask('/metrics', 'Bearer t')).toBe(200);
    expect(scripted.requests).toHaveLength(2);
    await clock.advance(2_000);
    expect(await ask('/metrics', 'Bearer t')).toBe(403);
    // The newer decision counts, also if the older one allowed access.
    await clock.advance(1_000);
    expect(await ask('/metrics', 'Bearer t')).toBe(403);
    expect(scripted.requests).toHaveLength(4);
  });

  test('a flood of invented tokens causes few requests to the API server, and known readers keep access', async () => {
    const { clock, handler, reviews } = withReviewer();
    const ask = async (token: string) =>
      (await handler({ method: 'GET', path: '/metrics', headers: { authorization: `Bearer ${token}` } })).status;
    expect(await ask('prometheus')).toBe(200);
    const begunMs = clock.monotonicMs();
    const statuses = new Map<number, number>();
    for (let second = 0; second < 120; second += 1) {
      for (let n = 0; n < 100; n += 1) {
        const status = await ask(`invented-${second}-${n}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      expect(await ask('prometheus')).toBe(200);
      await clock.advance(1_000);
    }
    expect(clock.monotonicMs() - begunMs).toBe(120_000);
    expect(statuses.get(200)).toBeUndefined();
    expect(statuses.get(429)).toBeGreaterThan(10_000);
    expect(reviews()).toBeLessThan(120 * 5 + 20 + 10);
  });

  test('asks once for many requests of one token at the same time', async () => {
    const { handler, reviews } = withReviewer();
    const ask = () => handler({ method: 'GET', path: '/metrics', headers: { authorization: 'Bearer prometheus' } });
    const replies = await Promise.all(Array.from({ length: 50 }, ask));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(reviews()).toBe(1);
  });

  test('accepts a token for its own audience only in the header for it', async () => {
    const { handler, asked } = withReviewer();
    const ask = async (headers: Record<string, string>) =>
      (await handler({ method: 'GET', path: '/metrics', headers })).status;
    expect(await ask({ [proxiedToken.header]: 'for-metrics' })).toBe(200);
    expect(asked.at(-1)).toEqual({ token: 'for-metrics', audiences: ['vdo-metrics'] });
    expect(await ask({ [proxiedToken.header]: 'prometheus' })).toBe(401);
    expect(await ask({ authorization: 'Bearer for-metrics' })).toBe(401);
  });
});
