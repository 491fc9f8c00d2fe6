import type { Clock } from '@vdo/base/clock';
import { type HttpRequest, type HttpResponse, type HttpTransport, readBody } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import type { Random } from '@vdo/base/random';
import { retry } from '@vdo/base/retry';
import { refused, unreachable } from './registry-errors.ts';

export interface RegistryOptions {
  /** `mirror.example.com:5000`, no path. */
  readonly host: string;
  readonly plainHttp?: boolean;
  /** Opens a server by its origin: the registry, and whoever gives out its tokens. */
  readonly connect: (origin: string) => HttpTransport;
  readonly account?: { readonly username: string; readonly password: string };
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** A request, what it is for in words, and what it may be answered with. */
export interface Ask extends Pick<HttpRequest, 'method' | 'path' | 'body'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly what: string;
  readonly accept: readonly number[];
  /** What a token has to allow: `repository:vdo/node:pull,push`. */
  readonly scope: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface RegistrySession {
  /** One exchange, with the login that the registry asks for. */
  ask(ask: Ask): Promise<Answer>;
  /** Does something again after failures that may pass. What is written is named by its digest, so that nothing is written twice. */
  repeat<T>(operation: () => Promise<T>): Promise<T>;
}

const maxBytes = 2 ** 31 - 1;

/** `Bearer realm="…",service="…"` as its scheme and parameters. */
const challengeOf = (header: string) => ({
  scheme: header.split(' ')[0]?.toLowerCase(),
  // Pieces between quotes: ` realm=`, its value, `,service=`, its value.
  values: Object.fromEntries(
    header
      .slice(header.indexOf(' ') + 1)
      .split('"')
      .flatMap((piece, index, pieces) =>
        index % 2 === 0 && piece.endsWith('=') ? [[piece.slice(0, -1).replace(',', '').trim(), pieces[index + 1]]] : [],
      ),
  ),
});

/** A registry, by the distribution API. */
export const createRegistrySession = (options: RegistryOptions): RegistrySession => {
  const { host, plainHttp, connect, account, signal } = options;
  const origin = `${plainHttp ? 'http' : 'https'}://${host}`;
  const credentials = new Map<string, string>();
  const basic = account
    ? `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`
    : undefined;

  const send = async (at: string, request: Omit<HttpRequest, 'signal'>): Promise<HttpResponse> => {
    try {
      return await connect(at)({ ...request, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof HttpFailure ? unreachable(new URL(at).host, error) : error;
    }
  };
  const whole = async (response: HttpResponse): Promise<Answer> => ({
    status: response.status,
    headers: response.headers,
    body: await readBody(response.body, maxBytes).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unreachable(host, error);
    }),
  });

  const token = async (realm: string, { service, scope }: { service: string | undefined; scope: string }) => {
    const url = new URL(realm);
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', scope);
    const headers = basic === undefined ? {} : { authorization: basic };
    const answer = await whole(
      await send(url.origin, { method: 'GET', path: `${url.pathname}${url.search}`, headers }),
    );
    const text = answer.body.toString('utf8');
    if (answer.status !== 200)
      throw refused(url.host, { status: answer.status, what: 'the request for a token', text });
    const found = JSON.parse(text);
    return `Bearer ${found.token ?? found.access_token}`;
  };

  /** What the registry asks for in its refusal; undefined if there is nothing to give it. */
  const login = async (header: string, scope: string): Promise<string | undefined> => {
    const { scheme, values } = challengeOf(header);
    if (scheme === 'basic') return basic;
    const { realm, service } = values;
    // A password goes to who is asked for by TLS, or to the registry's own server.
    if (scheme !== 'bearer' || !realm || !(realm.startsWith('https://') || realm.startsWith(`${origin}/`)))
      return undefined;
    return token(realm, { service, scope });
  };

  const attempt = async ({ method, path, body, headers = {}, what, accept, scope }: Ask): Promise<Answer> => {
    const request = async (): Promise<Answer> => {
      const authorization = credentials.get(scope);
      const all = { ...headers, ...(authorization === undefined ? {} : { authorization }) };
      return whole(await send(origin, { method, path, headers: all, ...(body === undefined ? {} : { body }) }));
    };
    let answer = await request();
    if (answer.status === 401) {
      const given = await login(answer.headers['www-authenticate'] ?? '', scope);
      if (given !== undefined && given !== credentials.get(scope)) {
        credentials.set(scope, given);
        answer = await request();
      }
    }
    if (accept.includes(answer.status)) return answer;
    throw refused(host, { status: answer.status, what, text: answer.body.toString('utf8') });
  };

  return { ask: attempt, repeat: (operation) => retry(operation, { ...options, attempts: 6, maxMs: 10_000 }) };
};
