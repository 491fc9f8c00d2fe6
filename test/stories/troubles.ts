import { type Clock, sleep } from '@vdo/base/clock';
import { type HttpRequest, type HttpTransport, httpResponse, readBody } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';

/** What can go wrong with a request on its way: `next` is the rest of the way. Each counts for itself: make a new one for each use. */
export type Trouble = (request: HttpRequest, next: HttpTransport) => ReturnType<HttpTransport>;

const isXml = (body: HttpRequest['body']): boolean =>
  typeof body === 'string' ? body.startsWith('<') : body?.[0] === 0x3c;
const nameIn = ({ method, path, body }: HttpRequest): string =>
  (isXml(body) ? /<(?:\w+:)?Body>\s*<(?:\w+:)?(\w+)/.exec(String(body))?.[1] : undefined) ??
  `${method} ${path.split('?')[0]}`;

/** On the request itself: a weak map of all requests costs more than to read their names. */
const readName = Symbol('name');
type Named = HttpRequest & { [readName]?: string };

/** The request as a story names it: `POST /api/v1/persistentvolumes`, or the SOAP method, `CnsCreateVolume`. Each is read once. */
export const nameOf = (request: Named): string => {
  request[readName] ??= nameIn(request);
  return request[readName];
};

const isWatch = ({ method, path }: HttpRequest): boolean => method === 'GET' && /[?&]watch=(true|1)/.test(path);

/** Strikes the requests that match, `times` of them. */
export const striking = (what: RegExp, times: number, strike: Trouble): Trouble => {
  let left = times;
  return (request, next) => {
    if (left <= 0 || isWatch(request) || !what.test(nameOf(request))) return next(request);
    left -= 1;
    return strike(request, next);
  };
};

/** The request is carried out, and its reply is lost with the connection. */
export const replyLost: Trouble = async (request, next) => {
  const { body } = await next(request);
  await readBody(body);
  throw new HttpFailure('interrupted', 'the reply was lost');
};
export const loseReply = (what: RegExp, times = 1): Trouble => striking(what, times, replyLost);

/** The request never arrives. */
export const requestLost: Trouble = async () => {
  throw new HttpFailure('interrupted', 'the request was lost');
};
export const loseRequest = (what: RegExp, times = Number.POSITIVE_INFINITY): Trouble =>
  striking(what, times, requestLost);

/** From the first request that matches on nothing gets through, watches that are open apart, until the trouble is taken away. */
export const outage = (from = /./): Trouble => {
  let isAway = false;
  return async (request, next) => {
    isAway ||= from.test(nameOf(request));
    if (!isAway) return next(request);
    throw new HttpFailure('refused', 'connection refused');
  };
};

/** What a proxy says when it gave up waiting for the reply. */
export type ProxyStatus = 408 | 500 | 502 | 503 | 504;
/** A proxy forwards the request, does not wait for the reply, and answers with this status itself. */
export const answeredAfterForwarding =
  (status: ProxyStatus): Trouble =>
  async (request, next) => {
    const { body } = await next(request);
    await readBody(body);
    return httpResponse(status, `<html>${status}</html>`, { 'content-type': 'text/html' });
  };
export const answerAfterForwarding = (what: RegExp, status: ProxyStatus, times = 1): Trouble =>
  striking(what, times, answeredAfterForwarding(status));

/** Something happens just before the request is carried out. */
export const meanwhile = (what: RegExp, happens: () => Promise<unknown> | unknown, times = 1): Trouble =>
  striking(what, times, async (request, next) => {
    await happens();
    return next(request);
  });

/** Watch streams that can stop: they stay open and deliver nothing more, or deliver late. Reads and writes are as ever. */
export const createWatchGate = (clock: Clock) => {
  let hung: RegExp | undefined;
  let lag = { ms: 0, what: /./ };
  const never = () => new Promise<never>(() => {});
  const aborted = (signal: AbortSignal | undefined) =>
    new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  const through: Trouble = async (request, next) => {
    const reply = await next(request);
    if (!isWatch(request)) return reply;
    const isHung = () => hung?.test(nameOf(request)) ?? false;
    const gone = aborted(request.signal);
    gone.catch(() => {});
    const chunks = reply.body[Symbol.asyncIterator]();
    const pull = async () => {
      if (isHung()) return never();
      const chunk = await chunks.next();
      if (lag.ms > 0 && lag.what.test(nameOf(request))) await sleep(clock, lag.ms);
      return isHung() ? never() : chunk;
    };
    // By hand: a generator that waits could not be ended by its reader.
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.race([pull(), gone]),
        return: async () => {
          void chunks.return?.().catch(() => {});
          return { done: true, value: undefined };
        },
      }),
    };
    return { ...reply, body };
  };
  return {
    through,
    /** Streams open now and later, of resources whose path matches, hang. Returns a function that lets new ones work. */
    hang: (what = /./): (() => void) => {
      hung = what;
      return () => {
        hung = undefined;
      };
    },
    /** From now on events of resources whose path matches come this much later. */
    lag: (ms: number, what = /./): void => {
      lag = { ms, what };
    },
  };
};
