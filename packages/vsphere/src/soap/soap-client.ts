import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, deadline } from '@vdo/base/clock';
import type { HttpHeaders, HttpResponse, HttpTransport } from '@vdo/base/http';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { methodSince, speakerOf, versionText } from '../wire/api-version.ts';
import type { Conversion, ValueOwner } from '../wire/decode.ts';
import { decodeReply, encodeContent, encodeRequest } from '../wire/envelope.ts';
import type { Registry } from '../wire/registry.ts';
import type { Method, RequestOf, ResponseOf } from '../wire/schema.ts';
import { WireError } from '../wire/wire-error.ts';
import { wireTypes } from '../wire/wire-types.ts';
import type { CallMetrics } from './call-metrics.ts';
import type { CookieJar } from './cookie-jar.ts';
import { faultError } from './fault-error.ts';
import { type Endpoint, type PresentedCertificate, statusFailure, translateFailure } from './vcenter-failure.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Timeout; that of the client by default. */
  readonly timeoutMs?: number | undefined;
  /** The reply then contains its results instead of the objects. */
  readonly convert?: Conversion | undefined;
  /** Called right before each request. If it throws, nothing is sent, and the error is the outcome. */
  readonly beforeSend?: (() => void) | undefined;
  /** The operation that the call is made for; vCenter writes it to its logs. */
  readonly operationId?: string | undefined;
}

/** Calls SOAP methods; errors arrive as VdoErrors. */
export interface SoapCaller {
  call<M extends Method>(method: M, args: RequestOf<M>, options?: CallOptions): Promise<ResponseOf<M>>;
}

export interface SoapClientOptions {
  readonly endpoint: Endpoint;
  readonly transport: HttpTransport;
  /** `/sdk`, `/vsanHealth`, `/pbm`. */
  readonly path: string;
  /** The cookie to send. */
  readonly cookies: CookieJar;
  /**
   * Called with the cookie of replies. Set only if the replies issue the intended session: vCenter issues a session to every
   * caller, and some endpoints issue their own, which no other endpoint accepts.
   */
  readonly acceptsCookies?: boolean;
  readonly clock: Clock;
  readonly metrics: CallMetrics;
  /** API version for the SOAPAction header, once known. */
  readonly version: () => string | undefined;
  /** Uses this namespace instead of that of each method: results of vSAN tasks are sent only to vSAN clients. */
  readonly namespace?: () => string | undefined;
  /** The session to send in the SOAP header, as `/pbm` requires. */
  readonly sessionInHeader?: CookieJar;
  /** A `wsse:Security` element to send with each call. */
  readonly security?: string;
  /** Creates the complete request from the content of its body, to sign it. */
  readonly envelope?: (content: string) => string;
  readonly certificate?: () => Promise<PresentedCertificate | undefined>;
  /** Called with values of a reply that were ignored because they could not be read. */
  readonly onUnreadable?: (path: string, why: string, owner: ValueOwner) => void;
  /** Timeout per call; 60 s by default. */
  readonly timeoutMs?: number | undefined;
  /** 256 MiB by default. */
  readonly maxReplyBytes?: number | undefined;
}

/** Number of bytes to read before other work gets its turn: a reply may have many megabytes that are all available. */
const bytesPerTurn = 128 * 1024;

async function* inTurns(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of body) {
    yield chunk;
    read += chunk.length;
    if (read < bytesPerTurn) continue;
    read = 0;
    await nextTurn();
  }
}

const timedOut = (endpoint: Endpoint, call: string, timeoutMs: number): VdoError =>
  new VdoError({
    code: 'DeadlineExceeded',
    message: `vCenter ${endpoint.server} did not finish ${call} within ${timeoutMs / 1000} s`,
    remedy:
      'vCenter is slow or does not respond. The request is retried automatically. If this repeats, check the load of vCenter.',
  });

// A 500 with XML is a SOAP fault; other statuses, and web pages, are not from the SDK.
const mayBeSoap = ({ status, headers }: HttpResponse): boolean =>
  status === 200 || (status === 500 && !(headers['content-type'] ?? '').includes('html'));

// An unread body would keep its socket open: start to read it, then stop.
const discard = async ({ body }: HttpResponse): Promise<void> => {
  for await (const _chunk of body) break;
};

interface Sending {
  readonly signal: AbortSignal;
  readonly convert: Conversion | undefined;
  readonly operationID: string | undefined;
}

/** A SOAP client for one endpoint of one vCenter. It does not log in. */
export const createSoapClient = (options: SoapClientOptions): SoapCaller => {
  const { endpoint, cookies, clock } = options;

  const headersFor = (namespace: string): HttpHeaders => {
    const version = options.version();
    const cookie = cookies.header();
    return {
      'content-type': 'text/xml; charset="utf-8"',
      soapaction: version === undefined ? namespace : `${namespace}/${version}`,
      ...(cookie === undefined ? {} : { cookie }),
    };
  };

  /** The wire types of the version in use; fields that it does not have are not sent. */
  const registryFor = (namespace: string, method: Method): Registry => {
    const version = options.version();
    const speaks = speakerOf(namespace, version);
    if (!speaks) return wireTypes;
    const brought = methodSince(method.name);
    if (brought !== undefined && !speaks(brought))
      throw new WireError('newer', `it requires API ${versionText(brought)}, but this vCenter has API ${version}`);
    return { ...wireTypes, speaks };
  };

  const exchange = async <M extends Method>(
    method: M,
    args: RequestOf<M>,
    { signal, convert, operationID }: Sending,
  ) => {
    const namespace = options.namespace?.() ?? method.namespace;
    const { security } = options;
    const vcSessionCookie = options.sessionInHeader?.value();
    const spoken = { ...method, namespace };
    const registry = registryFor(namespace, method);
    const body = options.envelope
      ? options.envelope(encodeContent(registry, spoken, args))
      : encodeRequest(registry, spoken, {
          args,
          header: { operationID, vcSessionCookie, security },
        });
    const headers = headersFor(namespace);
    const response = await options.transport({ method: 'POST', path: options.path, headers, body, signal });
    if (!mayBeSoap(response)) {
      await discard(response);
      throw statusFailure(endpoint, response.status, method.name);
    }
    if (options.acceptsCookies) cookies.accept(response.headers);
    const { maxReplyBytes } = options;
    return decodeReply(inTurns(response.body), method, {
      registry: wireTypes,
      convert,
      onUnreadable: (path, why, owner) => {
        options.metrics.unreadable(method.name);
        options.onUnreadable?.(path, why, owner);
      },
      ...(maxReplyBytes === undefined ? {} : { maxBytes: maxReplyBytes }),
    });
  };

  const attempt = async <M extends Method>(method: M, args: RequestOf<M>, call: CallOptions) => {
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? 60_000;
    const limit = deadline(clock, timeoutMs, {
      ...(call.signal ? { parent: call.signal } : {}),
      reason: () => timedOut(endpoint, method.name, timeoutMs),
    });
    try {
      return await exchange(method, args, {
        signal: limit.signal,
        convert: call.convert,
        operationID: call.operationId,
      });
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      throw await translateFailure(error, { endpoint, call: method.name, certificate: options.certificate });
    } finally {
      limit.dispose();
    }
  };

  return {
    call: async (method, args, call = {}) => {
      // There is no wait between this and the request.
      call.beforeSend?.();
      const startMs = clock.monotonicMs();
      const record = (result: string) => options.metrics.called(method.name, result, clock.monotonicMs() - startMs);
      try {
        const reply = await attempt(method, args, call);
        if (!reply.ok)
          throw faultError(reply.fault.fault, reply.fault.faultstring, { server: endpoint.server, call: method.name });
        record('ok');
        return reply.value;
      } catch (error) {
        record(isVdoError(error) ? error.code : 'Cancelled');
        throw error;
      }
    },
  };
};
