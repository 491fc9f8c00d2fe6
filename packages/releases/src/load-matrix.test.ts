import { generateKeyPairSync } from 'node:crypto';
import { type HttpResponse, type HttpTransport, httpResponse } from '@vdo/base/http';
import { describe, expect, it } from 'vitest';
import { loadEmbeddedMatrix } from './embedded-matrix.ts';
import { embeddedSource, type LoadMatrixOptions, loadMatrix } from './load-matrix.ts';
import type { Matrix } from './matrix.ts';
import { keyIdOf, signMatrix } from './matrix-signature.ts';

const keyPair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { publicKey: spki, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
};
const publisher = keyPair();
const other = keyPair();
const textOf = (serial: number): string => JSON.stringify({ ...loadEmbeddedMatrix(), serial });
const matrixOf = (serial: number): Matrix => ({ ...loadEmbeddedMatrix(), serial });
const signed = (serial: number, ...keys: readonly string[]) => {
  const text = textOf(serial);
  return { text, signature: signMatrix(text, keys.length > 0 ? keys : [publisher.privateKey]) };
};
const url = 'https://example.com/vdo/matrix.json';
const defaultUrl = 'https://default.example.com/matrix.json';

type Site = Readonly<Record<string, string | HttpResponse>>;
/** Documents by address; a missing document is a 404, and an origin without any document cannot be reached. */
const web =
  (site: Site) =>
  (origin: string): HttpTransport =>
  async ({ path }) => {
    if (!Object.keys(site).some((address) => address.startsWith(origin))) throw new Error(`cannot reach ${origin}`);
    const found = site[`${origin}${path}`];
    return typeof found === 'string' ? httpResponse(200, found) : (found ?? httpResponse(404, 'not here'));
  };
const publish = (address: string, { text, signature }: { text: string; signature: string }): Site => ({
  [address]: text,
  [`${address}.sig`]: signature,
});
const load = (options: Partial<LoadMatrixOptions> & { site?: Site }) =>
  loadMatrix({
    sources: { spec: { url } },
    trustedKeys: [publisher.publicKey],
    connect: web(options.site ?? {}),
    readConfigMap: async () => undefined,
    readFile: async () => undefined,
    signal: new AbortController().signal,
    ...options,
  });

describe('loadMatrix', () => {
  it('takes the signed matrix from the address in the spec', async () => {
    expect(await load({ site: publish(url, signed(9)) })).toEqual({ matrix: matrixOf(9), source: url, serial: 9 });
  });

  it('takes it from a ConfigMap, and finds the only key that is not the signature', async () => {
    const { text, signature } = signed(9);
    const data = { 'matrix.json': text, 'matrix.json.sig': signature };
    const readConfigMap = async (name: string) => (name === 'matrix' ? data : undefined);
    const loaded = await load({ sources: { spec: { configMap: { name: 'matrix' } } }, readConfigMap });
    expect(loaded).toMatchObject({ source: 'ConfigMap matrix', serial: 9 });
    expect(loaded.problem).toBeUndefined();
  });

  it('takes it from a file', async () => {
    const { text, signature } = signed(9);
    const files = new Map([
      ['/etc/matrix.json', text],
      ['/etc/matrix.json.sig', signature],
    ]);
    const sources = { spec: { file: '/etc/matrix.json' } };
    const loaded = await load({ sources, readFile: async (path) => files.get(path) });
    expect(loaded).toMatchObject({ source: '/etc/matrix.json', serial: 9 });
  });

  it('uses the default address if the spec has no source, and the image if neither is set', async () => {
    const site = publish(defaultUrl, signed(8));
    expect(await load({ sources: { defaultUrl }, site })).toMatchObject({ source: defaultUrl, serial: 8 });
    const embedded = await load({ sources: {} });
    expect(embedded).toEqual({
      matrix: loadEmbeddedMatrix(),
      source: embeddedSource,
      serial: loadEmbeddedMatrix().serial,
    });
  });

  it('prefers the image to an older edition at the default address, but not to the source in the spec', async () => {
    expect(await load({ sources: { defaultUrl }, site: publish(defaultUrl, signed(1)) })).toMatchObject({
      source: embeddedSource,
      serial: loadEmbeddedMatrix().serial,
    });
    expect(await load({ site: publish(url, signed(1)) })).toMatchObject({ source: url, serial: 1 });
  });

  it('follows redirects, but never from https to http', async () => {
    const elsewhere = 'https://files.example.com/m';
    const moved = (location: string) => httpResponse(302, '', { location });
    const site = publish(elsewhere, signed(9));
    const redirects = { [url]: moved(elsewhere), [`${url}.sig`]: moved(`${elsewhere}.sig`) };
    expect(await load({ site: { ...site, ...redirects } })).toMatchObject({ serial: 9, source: url });
    const downgraded = await load({ site: { [url]: moved('http://files.example.com/m') } });
    expect(downgraded.problem?.message).toContain('redirected from https to http://files.example.com');
    const circle = await load({ site: { [url]: moved(url) } });
    expect(circle.problem?.message).toContain('redirected more than 5 times');
  });

  it('accepts a signature by any of several trusted keys, and a matrix signed by several', async () => {
    const both = [publisher.publicKey, other.publicKey];
    const byOther = publish(url, signed(9, other.privateKey));
    expect((await load({ site: byOther, trustedKeys: both })).serial).toBe(9);
    const byBoth = publish(url, signed(9, other.privateKey, publisher.privateKey));
    expect((await load({ site: byBoth })).source).toBe(url);
  });

  const broken: readonly [string, Partial<LoadMatrixOptions> & { site?: Site }, string, RegExp][] = [
    ['cannot be reached', {}, 'SourceUnreadable', /cannot reach https:\/\/example\.com/],
    ['is not there', { site: { [`${url}x`]: '' } }, 'SourceUnreadable', /status 404, expected 200/],
    ['has no signature', { site: { [url]: textOf(9) } }, 'MatrixSignatureInvalid', /there is no signature/],
    [
      'has a signature of no known form',
      { site: { [url]: textOf(9), [`${url}.sig`]: 'abc' } },
      'MatrixSignatureInvalid',
      /not JSON/,
    ],
    [
      'has a signature of another text',
      { site: publish(url, { text: textOf(10), signature: signed(9).signature }) },
      'MatrixSignatureInvalid',
      /does not match the document/,
    ],
    [
      'is signed by a stranger',
      { site: publish(url, signed(9, other.privateKey)) },
      'MatrixSignatureInvalid',
      new RegExp(`it was made with key ${keyIdOf(other.publicKey)}; trusted keys: ${keyIdOf(publisher.publicKey)}`),
    ],
    [
      'is signed, but nobody is trusted',
      { site: publish(url, signed(9)), trustedKeys: [] },
      'MatrixSignatureInvalid',
      /no key is trusted/,
    ],
    [
      'is signed and no matrix',
      { site: publish(url, { text: '{}', signature: signMatrix('{}', [publisher.privateKey]) }) },
      'MatrixInvalid',
      /schemaVersion/,
    ],
    [
      'is in a ConfigMap that is missing',
      { sources: { spec: { configMap: { name: 'matrix' } } } },
      'SourceUnreadable',
      /ConfigMap matrix: it does not exist/,
    ],
    [
      'is in one of several keys',
      { sources: { spec: { configMap: { name: 'matrix' } } }, readConfigMap: async () => ({ a: '', b: '' }) },
      'SourceUnreadable',
      /expected one key other than signatures, found a, b/,
    ],
    [
      'is in a key that is missing',
      { sources: { spec: { configMap: { name: 'matrix', key: 'c' } } }, readConfigMap: async () => ({ a: '' }) },
      'SourceUnreadable',
      /expected key c, found a/,
    ],
    [
      'is in a file that is missing',
      { sources: { spec: { file: '/m' } } },
      'SourceUnreadable',
      /the file does not exist/,
    ],
    [
      'is checked with a key that is none',
      { site: publish(url, signed(9)), trustedKeys: ['x'] },
      'ConfigInvalid',
      /trusted key 1/,
    ],
  ];
  it.each(broken)('tells that a source %s, and keeps the last good matrix', async (_name, options, code, message) => {
    const spec = options.sources?.spec ?? { url };
    const source = spec.url ?? spec.file ?? `ConfigMap ${spec.configMap?.name}`;
    const kept = await load({ ...options, lastGood: { matrix: matrixOf(7), source } });
    expect(kept).toMatchObject({ serial: 7, source, problem: { code } });
    expect(kept.problem?.message).toMatch(message);
    expect(kept.problem?.remedy).not.toBe('');
    const first = await load(options);
    expect(first).toMatchObject({ source: embeddedSource, problem: { code } });
  });

  it('uses the default address if the source in the spec has never worked', async () => {
    const loaded = await load({ sources: { spec: { url }, defaultUrl }, site: publish(defaultUrl, signed(8)) });
    expect(loaded).toMatchObject({ source: defaultUrl, serial: 8, problem: { code: 'SourceUnreadable' } });
  });

  it('refuses a lower serial, and accepts the same one again', async () => {
    const lastGood = { matrix: matrixOf(9), source: url };
    const back = await load({ site: publish(url, signed(8)), lastGood });
    expect(back).toMatchObject({ serial: 9, problem: { code: 'MatrixInvalid' } });
    expect(back.problem?.message).toContain('has serial 8, but 9 is already in use');
    expect((await load({ site: publish(url, signed(9)), lastGood })).problem).toBeUndefined();
  });

  it('ignores the last good matrix of a source that is no longer in the spec', async () => {
    const lastGood = { matrix: matrixOf(50), source: 'https://former.example.com/matrix.json' };
    expect(await load({ site: publish(url, signed(3)), lastGood })).toMatchObject({ serial: 3, source: url });
    expect(await load({ sources: {}, lastGood })).toMatchObject({ source: embeddedSource });
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    const connect = () => async () => {
      controller.abort();
      throw new Error('aborted');
    };
    await expect(load({ connect, signal: controller.signal })).rejects.toThrow(/abort/i);
  });

  it('refuses a matrix of the publisher that is older than the one in the image, but not one with another key', async () => {
    const embedded = loadEmbeddedMatrix();
    const old = { ...embedded, serial: embedded.serial - 1, published: '2020-01-01' };
    const text = JSON.stringify({ ...old, serial: Math.max(1, old.serial) });
    const below = { ...embedded, serial: embedded.serial };
    // The test shows something only if the matrix in the image is newer.
    expect(below.serial).toBeGreaterThan(1);
    const keys = { trustedKeys: [publisher.publicKey, other.publicKey], publisherKeys: [publisher.publicKey] };
    const replayed = await load({
      ...keys,
      site: publish(url, { text, signature: signMatrix(text, [publisher.privateKey]) }),
    });
    expect(replayed).toMatchObject({ source: embeddedSource, problem: { code: 'MatrixInvalid' } });
    expect(replayed.problem?.message).toContain('the serial cannot decrease');
    const own = await load({ ...keys, site: publish(url, { text, signature: signMatrix(text, [other.privateKey]) }) });
    expect(own).toMatchObject({ source: url });
    expect(own.problem).toBeUndefined();
  });
});
