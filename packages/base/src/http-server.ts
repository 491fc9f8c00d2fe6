import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpHeaders, HttpTransport } from './http.ts';
import { VdoError } from './vdo-error.ts';

export interface HttpServerOptions {
  readonly handler: HttpTransport;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** PEM; without it the server speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** Stops listening and drops open connections, long polls included. */
  close(): Promise<void>;
}

const headersOf = (request: IncomingMessage): HttpHeaders =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

const collect = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const writeHead = (response: ServerResponse, status: number, headers: HttpHeaders): void => {
  // Several cookies travel newline-separated in one value: no other header may hold a newline.
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

const exchange = async (handler: HttpTransport, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await collect(request);
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
  const { host = '127.0.0.1' } = options;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    exchange(options.handler, request, response).catch(() => response.destroy());
  };
  const server = options.tls
    ? createTlsServer({ cert: options.tls.cert, key: options.tls.key }, onRequest)
    : createServer(onRequest);
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
          remedy: 'Free the port or choose another one.',
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
  return { url: `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`, port, close };
};
