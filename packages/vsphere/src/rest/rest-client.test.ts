import { type HttpRequest, type HttpResponse, type HttpTransport, httpResponse } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { effectOf } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createLoginGuard } from '../session/login-guard.ts';
import { createTokenService } from '../session/token-service.ts';
import { createCallMetrics } from '../soap/call-metrics.ts';
import { moref } from '../wire/moref.ts';
import { createRestClient } from './rest-client.ts';
import { createTagging } from './tagging.ts';

type Handler = (request: HttpRequest) => HttpResponse | undefined;

const setup = (handler: Handler, options: { readonly password?: string; readonly oldApi?: boolean } = {}) => {
  const clock = createVirtualClock();
  const requests: HttpRequest[] = [];
  let logins = 0;
  const sessionPath = options.oldApi ? '/rest/com/vmware/cis/session' : '/api/session';
  const endpoint = { server: 'vc.example', port: 443 };
  const random = createSeededRandom(1);
  const transport: HttpTransport = async (request) => {
    requests.push(request);
    if (request.path === sessionPath && request.method === 'POST') {
      const authorized = request.headers['authorization'] === `Basic ${btoa('u@d:right')}`;
      if (!authorized) return httpResponse(401, '{}');
      logins++;
      return options.oldApi ? httpResponse(200, `{"value":"token-${logins}"}`) : httpResponse(201, `"token-${logins}"`);
    }
    // Before 7.0 Update 2 another protocol answered there.
    if (request.path.endsWith('/session') && request.method === 'POST') return httpResponse(415, 'what is this');
    return handler(request) ?? httpResponse(200, '{"value":[]}');
  };
  const rest = createRestClient({
    endpoint,
    transport,
    random,
    tokens: createTokenService({ endpoint, transport, clock, random, domain: 'vsphere.local' }),
    credentials: async () => ({ username: 'u@d', password: options.password ?? 'right', version: '1' }),
    guard: createLoginGuard({ clock, logger: silentLogger }),
    clock,
    logger: silentLogger,
    metrics: createCallMetrics(createMetrics(), 'vc.example'),
    beforeLogin: async () => (options.oldApi ? '7.0.1.0' : '8.0.3.0'),
  });
  return { rest, requests, clock, logins: () => logins };
};

const get = { name: 'tag/get', method: 'GET', path: '/rest/x' } as const;

describe('the REST session', () => {
  it.each([
    ['the newer path', false],
    ['the older path', true],
  ])('is opened once at %s, used and closed there', async (_name, oldApi) => {
    const { rest, requests, logins } = setup(() => undefined, { oldApi });
    await Promise.all([rest.request(get), rest.request(get)]);
    expect(logins()).toBe(1);
    expect(requests.at(-1)?.headers['vmware-api-session-id']).toBe('token-1');
    await rest.close();
    expect(requests.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'vmware-api-session-id': 'token-1' } });
  });

  it('is opened again after it expired, and the call is repeated', async () => {
    const { rest, logins } = setup(({ headers }) =>
      headers['vmware-api-session-id'] === 'token-1' ? httpResponse(401, '{}') : httpResponse(200, '{"value":"yes"}'),
    );
    expect(await rest.request(get)).toBe('yes');
    expect(logins()).toBe(2);
  });

  it('that never holds is an error, not a loop', async () => {
    const { rest, logins } = setup(() => httpResponse(401, '{}'));
    await expect(rest.request(get)).rejects.toMatchObject({ code: 'VCenterSessionLost' });
    expect(logins()).toBe(2);
  });

  it('with a wrong password is asked for once', async () => {
    const { rest, requests } = setup(() => undefined, { password: 'wrong' });
    await expect(rest.request(get)).rejects.toMatchObject({ code: 'VCenterLoginRejected' });
    await expect(rest.request(get)).rejects.toMatchObject({ code: 'VCenterLoginSuspended' });
    expect(requests).toHaveLength(1);
  });
});

describe('REST replies', () => {
  const messages = (text: string) => JSON.stringify({ value: { messages: [{ default_message: text }] } });
  it.each([
    [403, messages('no access'), 'VCenterPermissionDenied', 'no access'],
    [404, '{"messages":[{"default_message":"gone"}]}', 'VCenterObjectNotFound', 'gone'],
    [400, '', 'VCenterFault', 'HTTP 400'],
    [500, messages('no space'), 'VCenterFault', 'no space'],
    [500, '{}', 'VCenterFault', 'HTTP 500'],
    [503, '', 'VCenterBusy', 'HTTP 503'],
    [302, '', 'VCenterNotVSphere', 'HTTP 302'],
    [200, '<html>', 'VCenterReplyMalformed', 'not JSON'],
  ])('HTTP %i %s is %s', async (status, body, code, text) => {
    const { rest } = setup(() => httpResponse(status, body));
    await expect(rest.request(get)).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });

  it.each(['oops', '', '<html>Internal Server Error</html>', '[]', 'null'])(
    "HTTP 500 with %j is nobody's word: what was asked for may have been done",
    async (body) => {
      const { rest } = setup(() => httpResponse(500, body));
      const error = await rest.request(get).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'VCenterReplyMalformed', message: expect.stringContaining('HTTP 500') });
      expect(effectOf(error)).toBe('unknown');
    },
  );
});

describe('tagging', () => {
  const ref = moref('HostSystem', 'host-1');
  const serve: Handler = ({ path }) => {
    if (path.includes('list-attached-tags-on-objects'))
      return httpResponse(
        200,
        JSON.stringify({ value: [{ object_id: { type: 'HostSystem', id: 'host-1' }, tag_ids: ['t1', 't2'] }] }),
      );
    if (path.includes('/tag/id:t1'))
      return httpResponse(200, '{"value":{"id":"t1","name":"zone-a","category_id":"c1"}}');
    if (path.includes('/tag/id:t2')) return httpResponse(404, '{}');
    if (path.includes('/category/id:c1')) return httpResponse(200, '{"value":{"id":"c1","name":"k8s-zone"}}');
    return undefined;
  };

  it('reads associations, tags and categories, without deleted tags', async () => {
    const { rest, clock } = setup(serve);
    const tagging = createTagging(rest, clock);
    expect(await tagging.attached([ref])).toEqual(new Map([['HostSystem:host-1', ['t1', 't2']]]));
    expect(await tagging.tags(['t1', 't2'])).toEqual(new Map([['t1', { id: 't1', name: 'zone-a', categoryId: 'c1' }]]));
    expect(await tagging.categories(['c1'])).toEqual(new Map([['c1', 'k8s-zone']]));
  });

  it('asks for associations a thousand at a time', async () => {
    const { rest, requests, clock } = setup(() => undefined);
    await createTagging(rest, clock).attached(Array.from({ length: 2500 }, (_, i) => moref('HostSystem', `h${i}`)));
    expect(requests.filter(({ path }) => path.includes('list-attached'))).toHaveLength(3);
  });

  it('remembers names for ten minutes', async () => {
    const { rest, requests, clock } = setup(serve);
    const tagging = createTagging(rest, clock);
    await tagging.tags(['t1', 't1']);
    await tagging.tags(['t1']);
    const asked = () => requests.filter(({ path }) => path.includes('/tag/id:t1')).length;
    expect(asked()).toBe(1);
    await clock.advance(10 * 60_000);
    await tagging.tags(['t1']);
    expect(asked()).toBe(2);
  });
});
