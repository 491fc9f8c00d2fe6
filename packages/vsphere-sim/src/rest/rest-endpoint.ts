import { gunzipSync } from 'node:zlib';
import { type HttpRequest, type HttpResponse, httpResponse } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import { typeTable } from '@vdo/vsphere/wire/table/type-table';
import type { Core } from '../core.ts';
import { applyBefore } from '../fault-rules.ts';
import type { Session } from '../sessions.ts';
import { SimFault } from '../sim-fault.ts';
import type { Tokens } from '../sso/sts-endpoint.ts';
import type { TagStore } from '../tagging/tag-store.ts';
import { readRestStrictly } from './read-rest-strictly.ts';
import { errorResponse, RestError } from './rest-error.ts';
import { taggingResources } from './tagging-resources.ts';

export interface RestEndpointOptions {
  readonly core: Core;
  readonly tags: TagStore;
  readonly tokens: Tokens;
}

interface Route {
  readonly style: 'rest' | 'api';
  readonly resource: string;
  readonly id: string | undefined;
  readonly action: string | undefined;
}

const patterns = [
  ['rest', /^\/rest\/com\/vmware\/cis\/(session)$/],
  ['api', /^\/api\/(session)$/],
  ['rest', /^\/rest\/com\/vmware\/cis\/tagging\/([a-z-]+)(?:\/id:(.+))?$/],
] as const;

const routeOf = (path: string): Route | undefined => {
  const url = new URL(path, 'http://vcenter');
  const action = url.searchParams.get('~action') ?? undefined;
  for (const [style, pattern] of patterns) {
    const match = pattern.exec(url.pathname);
    if (!match?.[1]) continue;
    // IDs are used as they are, with their colons: an escaped one matches nothing. This is assumed of a live vCenter.
    return { style, resource: match[1], id: match[2], action };
  }
  return undefined;
};

const basicCredentials = (
  header: string | undefined,
): { readonly username: string; readonly password: string } | undefined => {
  const encoded = header?.match(/^Basic\s+(\S+)$/i)?.[1];
  const text = encoded && Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text?.indexOf(':') ?? -1;
  return text && colon > 0 ? { username: text.slice(0, colon), password: text.slice(colon + 1) } : undefined;
};

/** The decoded token of `SIGN token="…"`. Its signature of the request is not checked here. */
const tokenIn = (header: string | undefined): string => {
  const packed = header?.match(/^SIGN .*\btoken="([^"]+)"/)?.[1] ?? '';
  try {
    return gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: 1024 * 1024 }).toString('utf8');
  } catch {
    return '';
  }
};

const jsonOf = (body: HttpRequest['body']): Readonly<Record<string, unknown>> => {
  const text = body === undefined ? '' : Buffer.from(body).toString('utf8');
  if (text.trim() === '') return {};
  try {
    // `null` is what some clients send where a method takes no body.
    const value: unknown = JSON.parse(text) ?? {};
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw new RestError('invalid_argument', 'the body is not a JSON object');
};

/** Before 7.0 Update 2 another protocol was served below /api. */
const servesApi = ({ profile }: Core): boolean => typeTable().knows(profile.versions['urn:vim25'] ?? '', 'vim/7.0.2.0');

const unauthenticated = () => new RestError('unauthenticated', 'This method requires authentication.');

/** `/rest` and `/api`: sessions and tagging. */
export const createRestEndpoint = ({
  core,
  tags,
  tokens,
}: RestEndpointOptions): ((request: HttpRequest) => Promise<HttpResponse>) => {
  const tokenOf = (request: HttpRequest): string =>
    request.headers['vmware-api-session-id'] ??
    request.headers['cookie']?.match(/vmware-api-session-id="?([^";]+)/)?.[1] ??
    '';

  const login = (request: HttpRequest): string => {
    const header = request.headers['authorization'];
    const credentials = basicCredentials(header);
    const userAgent = request.headers['user-agent'] ?? '';
    const username = credentials ? undefined : tokens.userIn(tokenIn(header), { signed: false });
    const session = credentials
      ? core.sessions.login({ ...credentials, kind: 'rest', userAgent })
      : username && core.sessions.open({ username, kind: 'rest', userAgent });
    if (!session) throw unauthenticated();
    return session.token;
  };

  const showSession = (session: Session) => ({
    user: session.user,
    created_time: new Date(session.loginMs).toISOString(),
    last_accessed_time: new Date(session.lastActiveMs).toISOString(),
  });

  const sessionResource = (request: HttpRequest, route: Route, session: Session | undefined): unknown => {
    if (request.method === 'POST' && route.action === undefined) return login(request);
    if (!session) throw unauthenticated();
    if (request.method !== 'DELETE') return showSession(session);
    core.sessions.logout(session.token);
    return undefined;
  };

  /** The session is checked first: a caller without a session gets no error about its request. */
  const strict = (request: HttpRequest, { resource: name, id, action }: Route, session: Session | undefined): void => {
    const opens = name === 'session' && request.method === 'POST' && action === undefined;
    if (!session && !opens) throw unauthenticated();
    const route = { method: request.method, resource: id === undefined ? name : `${name}/id`, action };
    readRestStrictly(route, jsonOf(request.body));
  };

  const answer = (request: HttpRequest, route: Route, session: Session | undefined): HttpResponse => {
    if (route.style === 'api' && !servesApi(core))
      return httpResponse(415, 'Unsupported Media Type', { 'content-type': 'text/plain' });
    strict(request, route, session);
    const value =
      route.resource === 'session' ? sessionResource(request, route, session) : resource(request, route, session);
    if (value === undefined) return httpResponse(route.style === 'rest' ? 200 : 204);
    const created = route.style === 'api' && route.resource === 'session' && request.method === 'POST';
    const body = route.style === 'rest' ? { value } : value;
    return httpResponse(created ? 201 : 200, JSON.stringify(body), { 'content-type': 'application/json' });
  };

  const resource = (request: HttpRequest, route: Route, session: Session | undefined): unknown => {
    if (!session) throw unauthenticated();
    const handler = taggingResources[route.resource];
    if (!handler) throw new RestError('not_found', `no resource ${route.resource}`);
    const { id, action } = route;
    return handler(tags, { core, session, method: request.method, id, action, body: jsonOf(request.body) });
  };

  return async (request) => {
    const route = routeOf(request.path);
    const token = tokenOf(request);
    const session = core.sessions.use(token);
    const [path = ''] = request.path.split('?');
    const method = `${request.method} ${path}${route?.action ? `?${route.action}` : ''}`;
    const effects = core.faults.strike({ method, target: route?.id, user: session?.user });
    const record = (result: string) =>
      core.recorder.call({
        atMs: core.clock.now(),
        endpoint: route?.style === 'api' ? '/api' : '/rest',
        method,
        target: route?.id,
        user: session?.user,
        result,
      });
    try {
      await applyBefore(effects, {
        clock: core.clock,
        expireSession: () => core.sessions.logout(token),
        ...(request.signal ? { signal: request.signal } : {}),
      });
      const plain = effects.find((effect) => effect.kind === 'http');
      if (plain) throw new RestError('error', plain.body ?? `HTTP ${plain.status} (injected)`);
      if (!route) throw new RestError('not_found', `no resource at ${path}`);
      const response = answer(request, route, core.sessions.find(token));
      record(String(response.status));
      if (effects.some((effect) => effect.kind === 'drop' && effect.when === 'after'))
        throw new HttpFailure('interrupted', 'the connection was dropped');
      return response;
    } catch (error) {
      const reported = error instanceof SimFault ? new RestError('error', error.message) : error;
      if (!(reported instanceof RestError)) throw reported;
      const response = errorResponse(reported, route?.style ?? 'rest');
      record(String(response.status));
      return response;
    }
  };
};
