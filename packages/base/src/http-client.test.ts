import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { httpResponse, readBody } from './http.ts';
import { createHttpClient } from './http-client.ts';
import { HttpFailure } from './http-failure.ts';
import { serveHttp } from './http-server.ts';

const failureOf = async (origin: string): Promise<unknown> => {
  const client = createHttpClient({ origin, connectTimeoutMs: 2_000 });
  try {
    await client.transport({ method: 'GET', path: '/', headers: {} });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
};

const rawServer = async (onSocket: (socket: Socket) => void) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${port}`, close };
};

describe('HTTP client and server', () => {
  it('carries method, path, headers and body both ways', async () => {
    const server = await serveHttp({
      port: 0,
      handler: async (request) =>
        httpResponse(201, `${request.method} ${request.path} ${request.headers['x-a']} ${String(request.body)}`, {
          'set-cookie': 'a=1\nb=2',
        }),
    });
    const client = createHttpClient({ origin: server.url });
    const reply = await client.transport({ method: 'POST', path: '/p?q=1', headers: { 'x-a': 'h' }, body: 'hello' });
    expect(reply.status).toBe(201);
    expect(reply.headers['set-cookie']).toBe('a=1\nb=2');
    expect((await readBody(reply.body)).toString()).toBe('POST /p?q=1 h hello');
    await client.close();
    await server.close();
  });

  it('keeps its connection after a DELETE that has a body', async () => {
    let connections = 0;
    const server = await rawServer((socket) => {
      connections++;
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
    });
    const client = createHttpClient({ origin: server.origin, connections: 1 });
    for (let i = 0; i < 3; i++) {
      const reply = await client.transport({ method: 'DELETE', path: '/', headers: {}, body: '{}' });
      await readBody(reply.body);
    }
    expect(connections).toBe(1);
    await client.close();
    await server.close();
  });

  it('tells the server when a streaming consumer goes away', async () => {
    let gone: AbortSignal | undefined;
    const server = await serveHttp({
      port: 0,
      handler: async (request) => {
        gone = request.signal;
        const body = async function* () {
          for (;;) {
            yield Buffer.from('tick\n');
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        };
        return { status: 200, headers: {}, body: body() };
      },
    });
    const client = createHttpClient({ origin: server.url });
    const controller = new AbortController();
    const reply = await client.transport({ method: 'GET', path: '/', headers: {}, signal: controller.signal });
    const reading = (async () => {
      for await (const _ of reply.body) controller.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
    await expect.poll(() => gone?.aborted).toBe(true);
    await client.close();
    await server.close();
  });

  it('refuses a body that exceeds the limit', async () => {
    await expect(readBody(httpResponse(200, 'x'.repeat(100)).body, 10)).rejects.toThrow(RangeError);
  });

  it('reports a refused connection', async () => {
    const server = await rawServer(() => {});
    await server.close();
    expect(await failureOf(server.origin)).toMatchObject({ kind: 'refused' });
  });

  it('reports a server that does not speak TLS', async () => {
    const server = await serveHttp({ port: 0, handler: async () => httpResponse(200, 'plain') });
    const failure = await failureOf(server.url.replace('http:', 'https:'));
    expect(failure).toBeInstanceOf(HttpFailure);
    expect(failure).toMatchObject({ kind: 'not-tls' });
    await server.close();
  });

  it('reports a connection that breaks', async () => {
    const server = await rawServer((socket) => socket.destroy());
    expect(await failureOf(server.origin)).toMatchObject({ kind: 'interrupted' });
    await server.close();
  });

  it('reports a reply that is not HTTP', async () => {
    const server = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
    expect(await failureOf(server.origin)).toMatchObject({ kind: 'malformed' });
    await server.close();
  });
});
