import { type Clock, deadline, sleep } from '@vdo/base/clock';
import { type HttpHeaders, type HttpResponse, type HttpTransport, readBody } from '@vdo/base/http';
import type { Metrics } from '@vdo/base/metrics';
import { VdoError } from '@vdo/base/vdo-error';
import { apiError, parseStatus } from './api-error.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { type Repeat, repeatAfter } from './repeat.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { describeTarget, type QueryValue, queryString, targetPath, type VerbTarget } from './request-path.ts';
import { noAnswerError, transportError } from './transport-error.ts';

export interface ApiCall extends VerbTarget {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Used instead of the target's own path: discovery, /version. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** Default application/json. */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  readonly beforeSend?: (() => void) | undefined;
  /** Additional headers, for the server behind the API server. */
  readonly headers?: HttpHeaders | undefined;
}

export interface ApiCallerOptions {
  readonly transport: HttpTransport;
  /** Named in messages. */
  readonly server: string;
  /** Prefix of every path, without a trailing slash. */
  readonly basePath: string;
  readonly userAgent: string;
  /** For one attempt, body included; streams only until their headers. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly limiter: RateLimiter | undefined;
  readonly metrics: Metrics | undefined;
  readonly authHeaders: (() => Promise<HttpHeaders>) | undefined;
  readonly refreshCredentials: (() => Promise<boolean>) | undefined;
}

/** Sends requests: credentials, rate limit, time limit, the retries that are always safe, and errors as VdoErrors. */
export interface ApiCaller {
  json(call: ApiCall): Promise<unknown>;
  /** The caller reads the body, without a timeout; `controller` ends it. The call's own signal is not used. */
  stream(call: ApiCall, controller: AbortController): Promise<HttpResponse>;
}

const maxBodyBytes = 512 * 1024 * 1024;

export const createApiCaller = (options: ApiCallerOptions): ApiCaller => {
  const { clock, server, timeoutMs } = options;
  const measured = createRequestMetrics(options.metrics, clock);

  const send = async (call: ApiCall, signal: AbortSignal): Promise<HttpResponse> => {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = {
      accept: 'application/json',
      'user-agent': options.userAgent,
      ...(body !== undefined && { 'content-type': call.contentType ?? 'application/json' }),
      ...call.headers,
      ...(await options.authHeaders?.()),
    };
    signal.throwIfAborted();
    call.beforeSend?.();
    const reply = await options.transport({
      method: call.method,
      path: `${options.basePath}${call.path ?? targetPath(call)}${queryString(call.query ?? {})}`,
      headers,
      ...(body !== undefined && { body }),
      signal,
    });
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw refusal(call, reply, (await readBody(reply.body, maxBodyBytes)).toString());
  };

  // The signal's reason says why the call ended; which error the transport then throws depends on its state.
  const reasonOf = (signal: AbortSignal, error: unknown): unknown => (signal.aborted ? signal.reason : error);

  const readJson = async (call: ApiCall): Promise<unknown> => {
    const reason = () => noAnswerError(server, timeoutMs);
    const limit = deadline(clock, timeoutMs, { reason, ...(call.signal && { parent: call.signal }) });
    try {
      const reply = await send(call, limit.signal);
      return JSON.parse((await readBody(reply.body, maxBodyBytes)).toString());
    } catch (error) {
      throw reasonOf(limit.signal, error instanceof SyntaxError ? notJson(call, server, error) : error);
    } finally {
      limit.dispose();
    }
  };

  const openStream = async (call: ApiCall, controller: AbortController): Promise<HttpResponse> => {
    const cancelTimer = clock.schedule(() => controller.abort(noAnswerError(server, timeoutMs)), timeoutMs);
    try {
      return await send(call, controller.signal);
    } catch (error) {
      throw reasonOf(controller.signal, error);
    } finally {
      cancelTimer();
    }
  };

  const withRepeats = async <T>(call: ApiCall, signal: AbortSignal | undefined, once: () => Promise<T>): Promise<T> => {
    const waiting = signal ? { signal } : {};
    for (let attempts = 1, refreshedCredentials = false; ; attempts++) {
      signal?.throwIfAborted();
      if (isLimited(call)) await options.limiter?.take(waiting);
      try {
        return await measured(call, once);
      } catch (error) {
        const repeat = repeatAfter(error, { method: call.method, attempts, refreshedCredentials });
        const mayRepeat = !signal?.aborted && (await prepare(repeat, waiting));
        if (!mayRepeat) throw transportError(server, error);
        refreshedCredentials ||= repeat.kind === 'with-new-credentials';
      }
    }
  };

  const prepare = async (repeat: Repeat, waiting: { readonly signal?: AbortSignal }): Promise<boolean> => {
    if (repeat.kind === 'with-new-credentials') return (await options.refreshCredentials?.()) ?? false;
    if (repeat.kind === 'after' && repeat.waitMs > 0) await sleep(clock, repeat.waitMs, waiting);
    return repeat.kind === 'after';
  };

  return {
    json: (call) => withRepeats(call, call.signal, () => readJson(call)),
    stream: (call, controller) => withRepeats(call, controller.signal, () => openStream(call, controller)),
  };
};

// Leases are renewed against a deadline, so they never wait in the queue behind other requests. The pages of a list follow one another:
// a wait between them would only let the snapshot grow old.
const isLimited = ({ resource, query }: ApiCall): boolean =>
  resource.group !== 'coordination.k8s.io' && !query?.['continue'];

const refusal = (call: ApiCall, reply: HttpResponse, body: string): VdoError => {
  const seconds = Number(reply.headers['retry-after']);
  return apiError(call, reply.status, parseStatus(body), seconds > 0 ? { retryAfterSeconds: seconds } : {});
};

const notJson = (call: ApiCall, server: string, cause: SyntaxError): VdoError =>
  new VdoError({
    code: 'KubeServerError',
    message: `cannot ${call.verb} ${describeTarget(call)}: ${server} returned a response that is not JSON`,
    remedy: `Check that ${server} is the address of a Kubernetes API server, not of a proxy or a login page.`,
    cause,
  });
