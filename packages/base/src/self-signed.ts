import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate for tests, simulators and endpoints whose clients trust it by thumbprint. */
export interface SelfSignedOptions {
  /** Subject and issuer. */
  readonly commonName: string;
  /** DNS names and IP addresses the certificate is valid for. */
  readonly hosts: readonly string[];
  /** Wall-clock milliseconds. The certificate is valid from one day before, because the clocks of two machines differ. */
  readonly nowMs: number;
  /** Default 365. */
  readonly validDays?: number;
  /** Default `ec`, P-256. vCenter single sign-on accepts only `rsa` with 2048 bits. */
  readonly keyType?: 'ec' | 'rsa';
  /** Also usable as a client certificate. Default: only as a server certificate. */
  readonly forClients?: boolean;
}

/** PEM, plus the DER that thumbprints are made of. */
export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
  readonly der: Uint8Array;
}

const dayMs = 24 * 60 * 60 * 1000;

const tag = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
};

const lengthBytes = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
};

const der = (tagByte: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tagByte]), lengthBytes(content.length), content]);
};

const sequence = (...items: readonly Uint8Array[]): Buffer => der(tag.sequence, ...items);

// The first byte holds two arcs, the others are base 128 with a continuation bit.
const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const base128 = (arc: number): number[] => {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  };
  return der(tag.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
};

// RFC 5280 4.1.2.5: UTCTime up to 2049, GeneralizedTime from 2050 on.
const time = (atMs: number): Buffer => {
  const digits = new Date(atMs).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return Number(digits.slice(0, 4)) < 2050
    ? der(0x17, Buffer.from(digits.slice(2), 'ascii'))
    : der(0x18, Buffer.from(digits, 'ascii'));
};

const ipv6Bytes = (address: string): Buffer => {
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const right = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - groups(head).length - right.length }, () => '0');
  const all = [...groups(head), ...(tail === undefined ? [] : zeros), ...right];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

const generalName = (host: string): Buffer => {
  if (isIP(host) === 4) return der(0x87, Buffer.from(host.split('.').map(Number)));
  return isIP(host) === 6 ? der(0x87, ipv6Bytes(host)) : der(0x82, Buffer.from(host, 'ascii'));
};

const extension = (id: string, critical: boolean, value: Uint8Array): Buffer =>
  sequence(oid(id), ...(critical ? [der(tag.boolean, Buffer.from([0xff]))] : []), der(tag.octets, value));

// It is its own authority, so that clients that accept a CA bundle accept it as one.
const extensions = ({ hosts, forClients = false }: SelfSignedOptions): Buffer => {
  const uses = ['1.3.6.1.5.5.7.3.1', ...(forClients ? ['1.3.6.1.5.5.7.3.2'] : [])];
  return sequence(
    extension('2.5.29.19', true, sequence(der(tag.boolean, Buffer.from([0xff])))),
    extension('2.5.29.37', false, sequence(...uses.map(oid))),
    extension('2.5.29.17', false, sequence(...hosts.map(generalName))),
  );
};

const certificate = (options: SelfSignedOptions, publicKey: KeyObject, privateKey: KeyObject): Buffer => {
  const { validDays = 365, nowMs } = options;
  // ECDSA with SHA-256, or RSA with SHA-256 and its empty parameters.
  const algorithm =
    options.keyType === 'rsa'
      ? sequence(oid('1.2.840.113549.1.1.11'), Buffer.from([5, 0]))
      : sequence(oid('1.2.840.10045.4.3.2'));
  const name = sequence(der(tag.set, sequence(oid('2.5.4.3'), der(tag.utf8, Buffer.from(options.commonName, 'utf8')))));
  // A serial number is positive: the first byte must not have its highest bit set, and must not be zero.
  const serial = Buffer.concat([Buffer.from([0x2a]), randomBytes(15)]);
  const body = sequence(
    der(0xa0, der(tag.integer, Buffer.from([2]))),
    der(tag.integer, serial),
    algorithm,
    name,
    sequence(time(nowMs - dayMs), time(nowMs + validDays * dayMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions(options)),
  );
  const signature = sign('sha256', body, privateKey);
  return sequence(body, algorithm, der(tag.bits, Buffer.from([0]), signature));
};

const pem = (label: string, bytes: Uint8Array): string => {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
};

/** Creates a key and a self-signed X.509 v3 certificate, only with Node's crypto. */
export const createSelfSigned = (options: SelfSignedOptions): SelfSigned => {
  const { publicKey, privateKey } =
    options.keyType === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const bytes = certificate(options, publicKey, privateKey);
  return {
    cert: pem('CERTIFICATE', bytes),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    der: bytes,
  };
};
