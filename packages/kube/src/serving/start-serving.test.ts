import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSelfSigned } from '@vdo/base/self-signed';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KubeClient } from '../client.ts';
import { createCertificateSource } from './certificate-source.ts';
import { startServing } from './start-serving.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-serving-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Knows the token `reader`, which may read everything. */
const client = {
  create: async (resource: { readonly plural: string }, object: { readonly spec: { readonly token?: string } }) =>
    resource.plural === 'tokenreviews'
      ? { ...object, status: { authenticated: object.spec.token === 'reader', user: { username: 'reader' } } }
      : { ...object, status: { allowed: true } },
} as unknown as Pick<KubeClient, 'create'>;

const start = async ({ healthPort = true } = {}) => {
  const clock = createVirtualClock();
  const lines: Record<string, string>[] = [];
  const logger = createLogger({ name: 'test', write: (line) => void lines.push(JSON.parse(line)) });
  const certificate = createCertificateSource({ commonName: 'test', hosts: ['127.0.0.1'], clock, folder });
  const metrics = createMetrics();
  metrics.counter({ name: 'vdo_secret_total', help: 'test' }).add({});
  const { close } = await startServing({
    ...(healthPort ? { health: { host: '127.0.0.1', port: 0 } } : {}),
    secure: { host: '127.0.0.1', port: 0, certificate },
    ...{ client, metrics, clock, logger },
    ready: { cache: () => 'not filled' },
  });
  const url = (msg: string) => lines.find((line) => line['msg'] === msg)?.['url'] ?? '';
  const ask = async (origin: string, path: string, token?: string) => {
    const http = createHttpClient({ origin, tls: { insecure: true } });
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      const reply = await http.transport({ method: 'GET', path, headers });
      return { status: reply.status, text: (await readBody(reply.body)).toString() };
    } finally {
      await http.close();
    }
  };
  return { clock, lines, close, ask, health: url('serving health'), secure: url('serving metrics') };
};

const serialOf = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });

describe('what a program serves', () => {
  it('serves metrics over TLS to users with the permission, and on no other port', async () => {
    const { ask, health, secure, close } = await start();
    expect(secure).toMatch(/^https:/);
    expect((await ask(secure, '/metrics', 'reader')).text).toContain('vdo_secret_total 1');
    const attempts = [
      ...['/metrics', '/metrics/', '/metrics?x', '//metrics', '/%6detrics', '/', '/debug/pprof', '/healthz'].map(
        (path) => [secure, path, undefined] as const,
      ),
      [secure, '/metrics', 'guessed'] as const,
      [health, '/metrics', undefined] as const,
      [health, '/metrics', 'reader'] as const,
    ];
    for (const [origin, path, token] of attempts) {
      const { status, text } = await ask(origin, path, token);
      expect([401, 404], `${origin}${path}`).toContain(status);
      expect(text).not.toContain('vdo_secret_total');
    }
    await expect(ask(secure.replace('https', 'http'), '/metrics', 'reader')).rejects.toThrow();
    await close();
  });

  it('serves health to the kubelet without a token, on a separate port if there is one, else on the secure port', async () => {
    const both = await start();
    expect(await both.ask(both.health, '/healthz')).toEqual({ status: 200, text: 'ok' });
    expect((await both.ask(both.health, '/readyz')).text).toContain('not filled');
    await both.close();
    const one = await start({ healthPort: false });
    expect((await one.ask(one.secure, '/healthz')).status).toBe(200);
    expect((await one.ask(one.secure, '/metrics')).status).toBe(401);
    await one.close();
  });

  it('presents a mounted certificate within a minute, and keeps it while the file is broken', async () => {
    const { clock, secure, lines, close } = await start();
    const own = await serialOf(secure);
    const mount = async (nowMs: number) => {
      const { cert, key } = createSelfSigned({ commonName: 'mounted', hosts: ['127.0.0.1'], nowMs });
      await writeFile(join(folder, 'tls.crt'), cert);
      await writeFile(join(folder, 'tls.key'), key);
    };
    const renewed = async (count: number) => {
      await clock.advance(60_000);
      await expect.poll(() => lines.filter(({ msg }) => msg === 'serving with a new certificate').length).toBe(count);
    };
    await mount(clock.now());
    await renewed(1);
    const mounted = await serialOf(secure);
    expect(mounted).not.toBe(own);
    await writeFile(join(folder, 'tls.crt'), 'half');
    await clock.advance(60_000);
    await expect.poll(() => lines.some(({ level }) => level === 'warn')).toBe(true);
    expect(await serialOf(secure)).toBe(mounted);
    await mount(clock.now());
    await renewed(2);
    expect(await serialOf(secure)).not.toBe(mounted);
    await close();
  });
});
