import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpHeaders, HttpTransport } from './http.ts';
import { VdoError } from './vdo-error.ts';

/** Requests that are refused before any of the body is read. */
export interface HttpLimits {
  /** Default: all methods. */
  readonly methods?: readonly string[];
  /** The maximum length of a request body. */
  readonly bodyBytes: number;
  /** Further connections are dropped. */
  readonly connections: number;
}

/** For simulators, which accept whole bodies. */
const spacious: HttpLimits = { bodyBytes: 64 << 20, connections: 4_096 };
/** For endpoints that anyone on the network may call: no body, so that nobody can fill the memory of the process. */
export const readOnlyLimits: HttpLimits = { methods: ['GET', 'HEAD'], bodyBytes: 0, connections: 256 };

/** Long replies may take their time. Requests may not: otherwise idle clients would hold all connections. */
const times = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };

export interface HttpServerOptions {
  readonly handler: HttpTransport;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** PEM; without it the server uses plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Default: bodies of 64 MiB. */
  readonly limits?: HttpLimits;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** Presents another certificate to clients that connect from now on. */
  renewTls(tls: { readonly cert: string; readonly key: string }): void;
  /** Stops listening and closes open connections, including long polls. */
  close(): Promise<void>;
}

const headersOf = (request: IncomingMessage): HttpHeaders =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly headers?: HttpHeaders;
}

const tooLong = ({ bodyBytes }: HttpLimits): Refusal => ({
  status: 413,
  text: bodyBytes === 0 ? 'a request body is not accepted\n' : `the body is longer than ${bodyBytes} bytes\n`,
});

/** Judged by the headers only. */
const refusalOf = (request: IncomingMessage, limits: HttpLimits): Refusal | undefined => {
  const { methods } = limits;
  if (methods && !methods.includes(request.method ?? ''))
    return { status: 405, text: 'method not allowed\n', headers: { allow: methods.join(', ') } };
  const length = Number(request.headers['content-length'] ?? 0);
  const isUnknown = request.headers['transfer-encoding'] !== undefined;
  return length > limits.bodyBytes || (isUnknown && limits.bodyBytes === 0) ? tooLong(limits) : undefined;
};

/** Does not wait for data that is still being sent. */
const refuse = (request: IncomingMessage, response: ServerResponse, { status, text, headers }: Refusal): void => {
  request.pause();
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close', ...headers });
  response.end(text, () => request.socket.destroySoon());
};

/** Undefined if it exceeds the limit. */
const collect = async (request: IncomingMessage, { bodyBytes }: HttpLimits): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > bodyBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
};

const writeHead = (response: ServerResponse, status: number, headers: HttpHeaders): void => {
  // Several cookies are separated by line breaks in one value: no other header may contain a line break.
  const expanded = Object.entries(headers).map(
    ([name, value]) => [name, value.includes('\n') ? value.split('\n') : value] as const,
  );
  response.writeHead(status, Object.fromEntries(expanded));
  response.flushHeaders();
};

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });

const exchange = async (
  { handler, limits = spacious }: HttpServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const refusal = refusalOf(request, limits);
  if (refusal) return refuse(request, response, refusal);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // A client that sent "Expect: 100-continue" may continue only after its headers have been checked.
  if (request.headers.expect !== undefined) response.writeContinue();
  const body = await collect(request, limits);
  if (!body) return refuse(request, response, tooLong(limits));
  const reply = await handler({
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: headersOf(request),
    body,
    signal: gone.signal,
  });
  writeHead(response, reply.status, reply.headers);
  for await (const chunk of reply.body) {
    if (gone.signal.aborted) return;
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
};

/** Serves a handler on a socket: the network half of a simulator, a health endpoint, a dashboard. */
export const serveHttp = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { host = '127.0.0.1', limits = spacious } = options;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    exchange(options, request, response).catch(() => response.destroy());
  };
  const tlsServer = options.tls && createTlsServer({ ...times, handshakeTimeout: 10_000, ...options.tls }, onRequest);
  const server = tlsServer ?? createServer(times, onRequest);
  server.on('checkContinue', onRequest);
  server.maxConnections = limits.connections;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new VdoError({
          code: 'ListenFailed',
          message: `cannot listen on ${host}:${options.port}: ${cause.message}`,
          remedy: 'Free the port or use another one.',
          cause,
        }),
      ),
    );
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const url = `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { url, port, close, renewTls: (tls) => tlsServer?.setSecureContext(tls) };
};
