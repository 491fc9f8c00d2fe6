import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpResponse, readBody } from './http.ts';
import { createHttpClient } from './http-client.ts';
import { type HttpServer, serveHttp } from './http-server.ts';
import { createSelfSigned } from './self-signed.ts';
import { thumbprintsOf } from './thumbprint.ts';

const pair = createSelfSigned({ commonName: 'a', hosts: ['127.0.0.1'], nowMs: Date.now() });
const tls = { thumbprints: [thumbprintsOf(pair.der).sha256] };

/** The few bytes of RFC 1928 that a CONNECT by name needs; every name is this machine. */
const createSocksServer = (seen: string[], sockets: Set<Socket>): Server =>
  createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (request) => {
        const isName = request[3] === 3;
        const length = isName ? (request[4] ?? 0) : 4;
        const start = isName ? 5 : 4;
        const host = isName
          ? request.subarray(start, start + length).toString()
          : [...request.subarray(4, 8)].join('.');
        const port = request.readUInt16BE(start + length);
        seen.push(`${host}:${port}`);
        if (host === 'forbidden.test') return socket.end(Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]));
        const upstream = connect(port, '127.0.0.1', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
          socket.pipe(upstream).pipe(socket);
        });
        sockets.add(upstream.on('error', () => {}));
        return undefined;
      });
    });
  });

describe('a SOCKS5 proxy', () => {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const socks = createSocksServer(seen, sockets);
  let proxy = '';
  const servers: HttpServer[] = [];
  const handler = async ({ headers }: { readonly headers: Readonly<Record<string, string>> }) =>
    httpResponse(200, `through ${headers['x-many'] ?? ''}`);

  beforeAll(async () => {
    servers.push(await serveHttp({ port: 0, handler }), await serveHttp({ port: 0, handler, tls: pair }));
    await new Promise<void>((resolve) => socks.listen(0, '127.0.0.1', resolve));
    proxy = `socks5://127.0.0.1:${(socks.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) await server.close();
    await new Promise((resolve) => socks.close(resolve));
  });

  const get = async (origin: string) => {
    const client = createHttpClient({ origin, proxy, tls });
    try {
      const reply = await client.transport({ method: 'GET', path: '/', headers: { 'x-many': 'a\nb' } });
      return (await readBody(reply.body)).toString();
    } finally {
      await client.close();
    }
  };

  it('connects to plain and to TLS servers, and resolves their names', async () => {
    const [plain, secure] = servers;
    expect(await get(`http://inside.test:${plain?.port}`)).toBe('through a, b');
    expect(await get(secure?.url ?? '')).toBe('through a, b');
    expect(seen).toEqual([`inside.test:${plain?.port}`, `127.0.0.1:${secure?.port}`]);
  });

  it('reports a refusal', async () => {
    await expect(get('https://forbidden.test:443')).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('the proxy 127.0.0.1:'),
    });
  });
});
