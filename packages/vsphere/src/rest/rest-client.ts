import { type Clock, deadline } from '@vdo/base/clock';
import { type HttpResponse, type HttpTransport, readBody } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { compareVersions } from '../session/api-version.ts';
import type { Credentials, CredentialsSource } from '../session/credentials.ts';
import { keyPairOf, loginIdentity } from '../session/key-pair.ts';
import type { LoginGuard } from '../session/login-guard.ts';
import { createSharedSession } from '../session/shared-session.ts';
import type { TokenService } from '../session/token-service.ts';
import type { CallMetrics } from '../soap/call-metrics.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { type Endpoint, type PresentedCertificate, translateFailure } from '../soap/vcenter-failure.ts';
import { WireError } from '../wire/wire-error.ts';
import { loginRejected, restFailure } from './rest-failure.ts';
import { signedAuthorization } from './sign-request.ts';

export interface RestRequest extends CallOptions {
  /** For metrics and messages: `tag-association/list-attached-tags-on-objects`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
}

/** The REST interface of one vCenter. Has its own session, which is opened on demand. */
export interface RestClient {
  /** The parsed JSON of the reply, without a `{ "value": … }` wrapper. Undefined if there is none. */
  request(request: RestRequest): Promise<unknown>;
  /** Logs out. */
  close(): Promise<void>;
}

export interface RestClientOptions {
  readonly endpoint: Endpoint;
  readonly transport: HttpTransport;
  readonly credentials: CredentialsSource;
  readonly guard: LoginGuard;
  /** For credentials that are a certificate. */
  readonly tokens: TokenService;
  readonly random: Pick<Random, 'uuid'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: CallMetrics;
  /**
   * Runs before a login: the SOAP login is done first, so that a wrong password is tried only once. Returns the API
   * version of the vCenter.
   */
  readonly beforeLogin: () => Promise<string>;
  readonly certificate?: (() => Promise<PresentedCertificate | undefined>) | undefined;
  /** Timeout per call; 60 s by default. */
  readonly timeoutMs?: number | undefined;
}

interface RestSession {
  readonly token: string;
  /** The path at which it was opened and must be closed. */
  readonly path: string;
}

/** Parsed JSON uses much more memory than its text: two bytes of brackets become an array of sixteen bytes. */
const maxBytes = 8 * 1024 * 1024;
/** The newer path exists since 7.0 Update 2; before, another service used it. Tokens of either path are valid for both. */
const sessionPaths = (apiVersion: string): readonly string[] =>
  compareVersions(apiVersion, '7.0.2') < 0
    ? ['/rest/com/vmware/cis/session']
    : ['/api/session', '/rest/com/vmware/cis/session'];

const parse = (text: string): unknown => {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  } catch (cause) {
    throw new WireError('malformed', 'it is not JSON', { cause });
  }
};

export const createRestClient = (options: RestClientOptions): RestClient => {
  const { endpoint, clock, guard, metrics } = options;

  const send = async (request: RestRequest, headers: Readonly<Record<string, string>>) => {
    const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? 60_000;
    const limit = deadline(clock, timeoutMs, {
      ...(request.signal ? { parent: request.signal } : {}),
      reason: () =>
        new VdoError({
          code: 'DeadlineExceeded',
          message: `vCenter ${endpoint.server} did not finish ${request.name} within ${timeoutMs / 1000} s`,
          remedy: 'vCenter is slow or does not respond. The request is retried automatically.',
        }),
    });
    try {
      request.beforeSend?.();
      const response = await options.transport({
        method: request.method,
        path: request.path,
        headers: {
          accept: 'application/json',
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        signal: limit.signal,
      });
      return { status: response.status, text: await textOf(response) };
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      throw await translateFailure(error, { endpoint, call: request.name, certificate: options.certificate });
    } finally {
      limit.dispose();
    }
  };

  /** The login header for a path, because a signature covers the path. */
  const authorization = async (credentials: Credentials): Promise<(path: string) => string> => {
    const pair = keyPairOf(credentials);
    if (!pair) {
      const basic = Buffer.from(`${credentials.username}:${credentials.password}`, 'utf8').toString('base64');
      return () => `Basic ${basic}`;
    }
    const assertion = await options.tokens.issue(credentials);
    const nonce = `${clock.now()}:${Number.parseInt(options.random.uuid().slice(0, 8), 16)}`;
    return (path) => signedAuthorization({ method: 'POST', path }, { endpoint, assertion, pair, nonce });
  };

  const open = async (): Promise<RestSession> => {
    const paths = sessionPaths(await options.beforeLogin());
    const credentials = await options.credentials({});
    const who = loginIdentity(credentials);
    const authorize = await authorization(credentials);
    await guard.admit(endpoint.server, who);
    for (const path of paths) {
      const reply = await send({ name: 'session', method: 'POST', path }, { authorization: authorize(path) });
      if (reply.status === 404) continue;
      if (reply.status === 401) {
        metrics.loggedIn('rest', 'VCenterLoginRejected');
        const rejection = loginRejected(endpoint);
        await guard.rejected(endpoint.server, who, rejection);
        throw rejection;
      }
      const token = reply.status < 300 ? parse(reply.text) : undefined;
      if (typeof token !== 'string') throw restFailure(endpoint, 'session', reply);
      await guard.accepted(endpoint.server, who);
      metrics.loggedIn('rest', 'ok');
      return { token, path };
    }
    throw restFailure(endpoint, 'session', { status: 404, text: '' });
  };

  const shared = createSharedSession<RestSession>({
    open,
    close: async ({ token, path }) => {
      await send(
        { name: 'session', method: 'DELETE', path, timeoutMs: 5_000 },
        { 'vmware-api-session-id': token },
      ).catch((error: unknown) => options.logger.debug('REST logout failed', { server: endpoint.server, error }));
    },
    onChange: (isOpen) => metrics.session('rest', isOpen),
    closedError: () =>
      new VdoError({
        code: 'Cancelled',
        message: `the connection to vCenter ${endpoint.server} was closed`,
        remedy: 'No action needed: the program is stopping.',
      }),
  });

  const authenticated = async (request: RestRequest) => {
    for (const last of [false, true]) {
      const session = await shared.get(request);
      const reply = await send(request, { 'vmware-api-session-id': session.token });
      if (reply.status !== 401) return reply;
      shared.lost(session);
      if (last) return reply;
    }
    throw new Error('unreachable');
  };

  const request = async (call: RestRequest): Promise<unknown> => {
    const reply = await authenticated(call);
    if (reply.status >= 300) throw restFailure(endpoint, call.name, reply);
    try {
      return parse(reply.text);
    } catch (error) {
      throw await translateFailure(error, { endpoint, call: call.name });
    }
  };

  return {
    request: async (call) => {
      const startMs = clock.monotonicMs();
      const record = (result: string) => metrics.called(`rest ${call.name}`, result, clock.monotonicMs() - startMs);
      try {
        const value = await request(call);
        record('ok');
        return value;
      } catch (error) {
        record(isVdoError(error) ? error.code : 'Cancelled');
        throw error;
      }
    },
    close: () => shared.close(),
  };
};

const textOf = async (response: HttpResponse): Promise<string> => {
  try {
    return (await readBody(response.body, maxBytes)).toString('utf8');
  } catch (error) {
    throw error instanceof RangeError ? new WireError('too-large', error.message) : error;
  }
};
