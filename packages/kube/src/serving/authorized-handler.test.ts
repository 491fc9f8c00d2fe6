import { httpResponse } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createKubeClient } from '../create-client.ts';
import { createScriptedTransport, json, refuse, type ScriptedAnswer } from '../testing/scripted-transport.ts';
import { createAuthorizedHandler } from './authorized-handler.ts';

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

describe('a handler that asks the API server', () => {
  test('serves probes to everyone and metrics to who may read them', async () => {
    const { ask, scripted } = setUp(known, allowed);
    expect(await ask('/healthz')).toBe(200);
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

  test('asks again after a minute, not before', async () => {
    const { ask, scripted, clock } = setUp(known, allowed, known, denied);
    expect(await ask('/metrics', 'Bearer t')).toBe(200);
    await clock.advance(59_000);
    expect(await ask('/metrics', 'Bearer t')).toBe(200);
    expect(scripted.requests).toHaveLength(2);
    await clock.advance(2_000);
    expect(await ask('/metrics', 'Bearer t')).toBe(403);
  });
});
