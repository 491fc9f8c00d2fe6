import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createSecureContext, connect as tlsConnect } from 'node:tls';
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { HttpHeaders, HttpTransport } from './http.ts';
import { HttpFailure, toHttpFailure } from './http-failure.ts';
import { openProxyTunnel } from './proxy-tunnel.ts';
import { isSocks, openSocksTunnel } from './socks-tunnel.ts';
import { isThumbprintOf, thumbprintsOf } from './thumbprint.ts';

export interface TlsOptions {
  /** PEM certificates to trust in addition to those of the system. */
  readonly caBundle?: string;
  /** SHA-1 or SHA-256 fingerprints of the server's certificate; a match is trusted, whoever issued the certificate. */
  readonly thumbprints?: readonly string[];
  /** Trust any certificate. Only if the user explicitly asks for it. */
  readonly insecure?: boolean;
  /** PEM client certificate and key. */
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
}

export interface HttpClientOptions {
  /** `https://host:port`, no path. */
  readonly origin: string;
  readonly tls?: TlsOptions;
  /** `http://user:pass@proxy:3128`, `socks5://proxy:1080`. */
  readonly proxy?: string;
  /** Maximum number of open sockets. Default 16. */
  readonly connections?: number;
  /** Timeout of a connection attempt. Default 10 s. */
  readonly connectTimeoutMs?: number;
}

export interface HttpClient {
  readonly transport: HttpTransport;
  close(): Promise<void>;
}

const connectOptions = (tls: TlsOptions, timeoutMs: number) => ({
  timeout: timeoutMs,
  keepAlive: true,
  rejectUnauthorized: !(tls.insecure || (tls.thumbprints?.length ?? 0) > 0),
  // A resumed TLS session shows no certificate: with thumbprints each connection must be a full handshake.
  ...((tls.thumbprints?.length ?? 0) > 0 ? { maxCachedSessions: 0 } : {}),
  // One for all connections: reading certificates and keys for each connection would cost more than the requests.
  secureContext: createSecureContext({
    ...(tls.caBundle === undefined ? {} : { ca: tls.caBundle }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
  }),
  ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
});

// Thumbprints are checked on the raw socket before a byte of the request (which has the password) is written.
const pinnedConnector = (
  tls: TlsOptions,
  timeoutMs: number,
  proxy: string | undefined,
): ReturnType<typeof buildConnector> => {
  let connector: ReturnType<typeof buildConnector> | undefined;
  const direct: ReturnType<typeof buildConnector> = (options, callback) => {
    connector ??= buildConnector(connectOptions(tls, timeoutMs));
    return connector(options, callback);
  };
  const connect: typeof direct = (options, callback) => {
    if (proxy === undefined) return direct(options, callback);
    const isTls = options.protocol === 'https:';
    const target = `${options.hostname}:${options.port || (isTls ? '443' : '80')}`;
    const open = isSocks(proxy) ? openSocksTunnel : openProxyTunnel;
    open(proxy, target, { timeoutMs }).then(
      (httpSocket) => (isTls ? direct({ ...options, httpSocket }, callback) : callback(null, httpSocket)),
      (error: Error) => callback(error, null),
    );
  };
  const wanted = tls.thumbprints ?? [];
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error || wanted.length === 0 || options.protocol !== 'https:') return callback(...result);
      const certificate = (socket as TLSSocket).getPeerCertificate();
      if (certificate.raw && wanted.some((thumbprint) => isThumbprintOf(thumbprint, certificate.raw)))
        return callback(...result);
      socket.destroy();
      const presented = certificate.raw
        ? { ...thumbprintsOf(certificate.raw), subject: String(certificate.subject?.CN ?? '') }
        : undefined;
      return callback(
        new HttpFailure(
          'thumbprint-mismatch',
          'the server presented a different certificate',
          presented ? { presented } : {},
        ),
        null,
      );
    });
};

const dispatcherFor = (options: HttpClientOptions): Dispatcher => {
  const { tls = {}, connections = 16, connectTimeoutMs = 10_000 } = options;
  // The caller's AbortSignal limits the time of a call: a long poll may be silent for an hour.
  const limits = { connections, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 };
  // Only an HTTP proxy without TLS sees requests; otherwise it is a tunnel, and trust is checked at its other end.
  if (options.proxy && options.origin.startsWith('http:') && !isSocks(options.proxy))
    return new ProxyAgent({ uri: options.proxy, ...limits });
  return new Pool(options.origin, { ...limits, connect: pinnedConnector(tls, connectTimeoutMs, options.proxy) });
};

const flatten = (headers: Record<string, string | string[] | undefined>): HttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join('\n') : value]],
    ),
  );

const unflatten = (headers: HttpHeaders): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.includes('\n') ? value.split('\n') : value]),
  );

async function* guarded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toHttpFailure(error);
  }
}

/** HTTP over the network to one origin, with keep-alive and the three ways to trust a server. */
export const createHttpClient = (options: HttpClientOptions): HttpClient => {
  const dispatcher = dispatcherFor(options);
  const transport: HttpTransport = async (request) => {
    try {
      const reply = await dispatcher.request({
        origin: options.origin,
        path: request.path,
        method: request.method as Dispatcher.HttpMethod,
        headers: unflatten(request.headers),
        body: request.body ?? null,
        // Otherwise a DELETE that has a body would close its connection, and the next request would need a TLS handshake.
        reset: false,
        ...(request.signal ? { signal: request.signal } : {}),
      });
      return { status: reply.statusCode, headers: flatten(reply.headers), body: guarded(reply.body) };
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      throw toHttpFailure(error);
    }
  };
  return { transport, close: () => dispatcher.destroy() };
};

/** Reads the certificate that a server presents, without trusting it: for error messages and for confirming a thumbprint. */
export const presentedCertificate = (
  host: string,
  port: number,
  timeoutMs = 5_000,
): Promise<{ sha1: string; sha256: string; subject: string; validTo: string } | undefined> =>
  new Promise((resolve) => {
    const socket = tlsConnect({
      host,
      port,
      rejectUnauthorized: false,
      timeout: timeoutMs,
      // A server name must not be an address.
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const finish = (value: Awaited<ReturnType<typeof presentedCertificate>>) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      finish(
        certificate.raw
          ? {
              ...thumbprintsOf(certificate.raw),
              subject: String(certificate.subject?.CN ?? ''),
              validTo: certificate.valid_to,
            }
          : undefined,
      );
    });
    socket.once('error', () => finish(undefined));
    socket.once('timeout', () => finish(undefined));
  });
