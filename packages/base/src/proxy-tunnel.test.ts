import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpResponse, readBody } from './http.ts';
import { createHttpClient, type HttpClientOptions } from './http-client.ts';
import { type HttpServer, serveHttp } from './http-server.ts';
import { createSelfSigned } from './self-signed.ts';
import { thumbprintsOf } from './thumbprint.ts';

const pair = createSelfSigned({ commonName: 'a', hosts: ['127.0.0.1'], nowMs: Date.now() });
const other = createSelfSigned({ commonName: 'b', hosts: ['127.0.0.1'], nowMs: Date.now() });

describe('a proxy', () => {
  let server: HttpServer;
  let seen: { target: string | undefined; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const proxy = createServer();
  let proxyAddress = '';

  beforeAll(async () => {
    server = await serveHttp({
      port: 0,
      handler: async () => httpResponse(200, 'through'),
      tls: { cert: pair.cert, key: pair.key },
    });
    proxy.on('connect', (request, socket: Socket) => {
      seen.push({ target: request.url, authorization: request.headers['proxy-authorization'] });
      sockets.add(socket.on('error', () => {}));
      if (request.url?.startsWith('forbidden')) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const [host = '', port] = request.url?.split(':') ?? [];
      const upstream = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
      sockets.add(upstream.on('error', () => {}));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    proxyAddress = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
    await new Promise((resolve) => proxy.close(resolve));
  });

  const get = async (options: Partial<HttpClientOptions>) => {
    seen = [];
    const client = createHttpClient({ origin: server.url, proxy: `http://${proxyAddress}`, ...options });
    try {
      const reply = await client.transport({ method: 'GET', path: '/', headers: {} });
      return (await readBody(reply.body)).toString();
    } finally {
      await client.close();
    }
  };

  it('tunnels to a server that is known by its thumbprint', async () => {
    expect(await get({ tls: { thumbprints: [thumbprintsOf(pair.der).sha256] } })).toBe('through');
    expect(seen).toEqual([{ target: new URL(server.url).host, authorization: undefined }]);
  });

  it('gets the credentials in its address', async () => {
    await get({ tls: { insecure: true }, proxy: `http://user:p%40ss@${proxyAddress}` });
    expect(seen[0]?.authorization).toBe(`Basic ${btoa('user:p@ss')}`);
  });

  it('does not weaken trust: another thumbprint is refused', async () => {
    const failure = get({ tls: { thumbprints: [thumbprintsOf(other.der).sha256] } });
    await expect(failure).rejects.toMatchObject({ kind: 'thumbprint-mismatch' });
  });

  it('does not weaken trust: an unknown certificate is refused', async () => {
    await expect(get({})).rejects.toMatchObject({ kind: 'tls-untrusted' });
  });

  it('reports a refusal', async () => {
    await expect(get({ origin: 'https://forbidden:443' })).rejects.toMatchObject({
      kind: 'unreachable',
      message: `the proxy ${proxyAddress} returned HTTP 403 to CONNECT forbidden:443`,
    });
  });

  it('reports a proxy that does not exist', async () => {
    await expect(get({ proxy: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('the proxy 127.0.0.1:1'),
    });
  });
});
