import { X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createSelfSigned, type SelfSigned } from './self-signed.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const serve = async (pair: SelfSigned): Promise<number> => {
  const server = createServer({ cert: pair.cert, key: pair.key }, (socket) => socket.end('hello'));
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const greet = (port: number, options: { readonly ca?: string; readonly servername?: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const { servername = '' } = options;
    const socket = connect({ host: '127.0.0.1', port, ...options, servername });
    socket.once('error', (error: NodeJS.ErrnoException) => reject(new Error(error.code ?? error.message)));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString());
    });
  });

const pairFor = (...hosts: readonly string[]) =>
  createSelfSigned({ commonName: 'vcenter.example', hosts, nowMs: Date.now() });

describe('createSelfSigned', () => {
  it('is accepted by a TLS client that trusts it and asks by IP address', async () => {
    const pair = pairFor('127.0.0.1');
    expect(await greet(await serve(pair), { ca: pair.cert })).toBe('hello');
  });

  it('may have an RSA key', async () => {
    const pair = createSelfSigned({ commonName: 'a', hosts: ['127.0.0.1'], nowMs: Date.now(), keyType: 'rsa' });
    expect(new X509Certificate(pair.cert).publicKey.asymmetricKeyType).toBe('rsa');
    expect(await greet(await serve(pair), { ca: pair.cert })).toBe('hello');
  });

  it('is accepted for a DNS name it lists', async () => {
    const pair = pairFor('vcenter.example');
    expect(await greet(await serve(pair), { ca: pair.cert, servername: 'vcenter.example' })).toBe('hello');
  });

  it('is refused by a client that does not trust it', async () => {
    const port = await serve(pairFor('127.0.0.1'));
    await expect(greet(port, {})).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('is refused for a name it does not list', async () => {
    const pair = pairFor('10.0.0.1');
    await expect(greet(await serve(pair), { ca: pair.cert })).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('is refused after its last day', async () => {
    const pair = createSelfSigned({
      commonName: 'old',
      hosts: ['127.0.0.1'],
      nowMs: Date.now() - 10 * 86_400_000,
      validDays: 5,
    });
    await expect(greet(await serve(pair), { ca: pair.cert })).rejects.toThrow('CERT_HAS_EXPIRED');
  });

  it('lists DNS names, IPv4 and IPv6 addresses and verifies with its own key', () => {
    const pair = pairFor('vcenter.example', '192.0.2.7', '::1', '2001:db8::7', 'fd00:1:2:3:4:5:6:7');
    const certificate = new X509Certificate(pair.cert);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.subject).toBe('CN=vcenter.example');
    expect(certificate.subjectAltName).toBe(
      'DNS:vcenter.example, IP Address:192.0.2.7, IP Address:0:0:0:0:0:0:0:1, IP Address:2001:DB8:0:0:0:0:0:7, IP Address:FD00:1:2:3:4:5:6:7',
    );
    expect(Buffer.from(certificate.raw).equals(Buffer.from(pair.der))).toBe(true);
  });

  it('states its validity across the year 2050, where the encoding changes', () => {
    const pair = createSelfSigned({ commonName: 'long', hosts: ['a'], nowMs: Date.UTC(2049, 11, 1), validDays: 60 });
    const { validFrom, validTo } = new X509Certificate(pair.cert);
    expect([validFrom, validTo]).toEqual(['Nov 30 00:00:00 2049 GMT', 'Jan 30 00:00:00 2050 GMT']);
  });
});
