import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createSystemClock } from '@vdo/base/clock';
import { type HttpTransport, httpResponse } from '@vdo/base/http';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { createSeededRandom } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { thumbprintsOf } from '@vdo/base/thumbprint';
import type { VCenterOptions } from '@vdo/vsphere/create-vcenter';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo, type Target } from './target.ts';

const clock = createSystemClock();
const pair = createSelfSigned({ commonName: 'vcenter.example', hosts: ['127.0.0.1', 'localhost'], nowMs: clock.now() });
const thumbprints = thumbprintsOf(pair.der);
const other = thumbprintsOf(createSelfSigned({ commonName: 'x', hosts: ['x'], nowMs: clock.now() }).der);

const targetAt = (port: number, server = '127.0.0.1'): Target => ({
  name: 'bad',
  server,
  port,
  thumbprint: thumbprints.sha256,
  username: 'administrator@vsphere.local',
  password: 'obviously-fake',
  control: {
    powerOff: async () => {},
    rename: async () => {},
    destroy: async () => {},
    tag: async () => {},
    endSessions: async () => {},
  },
  stop: async () => {},
});

const serve = (handler: HttpTransport, port = 0): Promise<HttpServer> =>
  serveHttp({ handler, port, tls: { cert: pair.cert, key: pair.key } });

/** Logs in at a server that answers with `handler`, and gives the error. */
const loginAt = async (handler: HttpTransport, overrides: Partial<VCenterOptions> = {}): Promise<unknown> => {
  const server = await serve(handler);
  const { vcenter } = connectTo(targetAt(server.port), overrides);
  try {
    return await vcenter.login().catch((error: unknown) => error);
  } finally {
    await vcenter.close();
    await server.close();
  }
};

const xml =
  (body: string): HttpTransport =>
  async () =>
    httpResponse(200, body, { 'content-type': 'text/xml' });
const open = '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>';

describe('a server that is none', () => {
  it('a port where nobody listens is VCenterUnreachable', async () => {
    const probe = createServer();
    const port = await new Promise<number>((resolve) =>
      probe.listen(0, '127.0.0.1', () => resolve((probe.address() as { readonly port: number }).port)),
    );
    await new Promise((resolve) => probe.close(resolve));
    const { vcenter } = connectTo(targetAt(port));
    await expect(vcenter.login()).rejects.toMatchObject({
      code: 'VCenterUnreachable',
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
    await vcenter.close();
  });

  it('a name that does not resolve is VCenterNameUnresolved', async () => {
    const { vcenter } = connectTo(targetAt(443, 'vcenter.invalid'));
    await expect(vcenter.login()).rejects.toMatchObject({ code: 'VCenterNameUnresolved' });
    await vcenter.close();
  });

  it('a plain HTTP server is VCenterNotVSphere', async () => {
    const server = await serveHttp({ handler: async () => httpResponse(200, 'hello'), port: 0 });
    const { vcenter } = connectTo(targetAt(server.port));
    await expect(vcenter.login()).rejects.toMatchObject({ code: 'VCenterNotVSphere' });
    await vcenter.close();
    await server.close();
  });

  it('one that closes the connection at once is VCenterUnreachable', async () => {
    const server = createServer((socket) => socket.destroy());
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { readonly port: number }).port)),
    );
    const { vcenter } = connectTo(targetAt(port));
    await expect(vcenter.login()).rejects.toMatchObject({ code: 'VCenterUnreachable' });
    await vcenter.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    ['a web page', xml('<!DOCTYPE html><html></html>'), 'VCenterNotVSphere'],
    ['another web page', async () => httpResponse(200, '<html><body>Hi</body></html>'), 'VCenterNotVSphere'],
    ['JSON', xml('{}'), 'VCenterNotVSphere'],
    ['a redirect', async () => httpResponse(301, '', { location: '/ui' }), 'VCenterNotVSphere'],
    ['a starting vCenter', async () => httpResponse(503, 'Service Unavailable'), 'VCenterBusy'],
    ['half a reply', xml(`${open}<RetrieveServiceContentResponse><returnval><rootFolder`), 'VCenterReplyMalformed'],
    ['entity expansion', xml(`<!DOCTYPE a [<!ENTITY b "c">]>${open}&b;`), 'VCenterReplyMalformed'],
    ['endless depth', xml(`${open}${'<a>'.repeat(100_000)}`), 'VCenterReplyMalformed'],
  ] as [string, HttpTransport, string][])('%s gives its own error', async (_name, handler, code) => {
    expect(await loginAt(handler)).toMatchObject({ code, remedy: expect.stringMatching(/\S/) });
  });

  it('a reply of a gigabyte is cut off, at the cost of the limit alone', async () => {
    let sent = 0;
    const endless: HttpTransport = async () => ({
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: (async function* () {
        yield new TextEncoder().encode(`${open}<RetrieveServiceContentResponse>`);
        const chunk = new Uint8Array(1 << 20).fill(0x20);
        for (sent = 0; sent < 1 << 30; sent += chunk.length) yield chunk;
      })(),
    });
    expect(await loginAt(endless, { maxReplyBytes: 4 << 20 })).toMatchObject({ code: 'VCenterReplyTooLarge' });
    expect(sent).toBeLessThan(32 << 20);
  });
});

describe('trust', () => {
  const busy: HttpTransport = async () => httpResponse(503);

  it.each([
    ['the SHA-256 thumbprint', { thumbprints: [thumbprints.sha256] }],
    ['the SHA-1 thumbprint', { thumbprints: [thumbprints.sha1.toLowerCase().replaceAll(':', '')] }],
    ['one of several thumbprints', { thumbprints: [other.sha256, thumbprints.sha256] }],
    ['its own certificate as CA', { caBundle: pair.cert }],
    ['explicit insecurity', { insecure: true }],
  ])('is given by %s', async (_name, tls) => {
    expect(await loginAt(busy, { tls })).toMatchObject({ code: 'VCenterBusy' });
  });

  it('without any of them is refused, and the error tells what to set', async () => {
    expect(await loginAt(busy, { tls: {} })).toMatchObject({
      code: 'VCenterTlsUntrusted',
      remedy: expect.stringContaining(`tls.thumbprints: ["${thumbprints.sha256}"]`),
    });
  });

  it('by another thumbprint is refused before a byte of the request is sent', async () => {
    let requests = 0;
    const counting: HttpTransport = async () => {
      requests++;
      return httpResponse(503);
    };
    expect(await loginAt(counting, { tls: { thumbprints: [other.sha256] } })).toMatchObject({
      code: 'VCenterThumbprintMismatch',
      message: expect.stringContaining(thumbprints.sha256),
    });
    expect(requests).toBe(0);
  });
});

describe('a vCenter that goes away and comes back', () => {
  const vms = [{ name: 'node-1', nics: [{ network: 'VM Network', ips: ['192.0.2.1'] }] }];
  const sim = createVSphereSim({
    model: {
      datacenters: [
        {
          name: 'DC0',
          clusters: [{ name: 'C0', hosts: [{ name: 'h0' }] }],
          datastores: [{ name: 'ds', type: 'VMFS' }],
          vms,
        },
      ],
    },
    clock,
    random: createSeededRandom(1),
  });
  let server: Awaited<ReturnType<typeof serveVSphereSim>>;

  beforeAll(async () => {
    server = await serveVSphereSim(sim, { clock });
  });
  afterAll(() => server.close());

  it('is watched again after a restart in the middle of a wait, with one more login', async () => {
    const place = { ...targetAt(server.port), thumbprint: '' };
    const { vcenter, calls } = connectTo(place, { tls: { insecure: true } });
    const found = await vcenter.nodes.resolve([{ key: 'n', names: ['node-1'] }]);
    const node = found.get('n');
    if (node?.state !== 'found') throw new Error(JSON.stringify(node));
    const stop = new AbortController();
    const running = vcenter.nodes.run(stop.signal);
    for (let i = 0; (await calls('CreateFilter')) < 1 && i < 100; i++) await delay(20);
    await delay(100);
    await server.close();
    sim.control.expireSessions();
    sim.control.rename('node-1', 'node-renamed');
    server = await serveVSphereSim(sim, { clock, port: server.port });
    for (let i = 0; vcenter.nodes.get(node.vm.ref)?.name !== 'node-renamed' && i < 250; i++) await delay(20);
    expect(vcenter.nodes.get(node.vm.ref)?.name).toBe('node-renamed');
    expect(await calls('Login')).toBe(2);
    stop.abort();
    await running;
    await vcenter.close();
  });
});
