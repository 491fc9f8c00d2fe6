import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps, namespaces } from '@vdo/kube/types/core';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { keyIdOf, signMatrix } from '@vdo/releases/matrix-signature';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';

const makeKeys = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};
const publisher = makeKeys();
const otherKey = makeKeys();
const namespace = 'vmware-system-vdo';
let folder: string;
const at = (name: string): string => join(folder, name);
/** Keys and folders are new each time: golden files name them instead. */
const tidy = (text: string): string =>
  text.replaceAll(keyIdOf(publisher.publicPem), 'KEYID').replaceAll(`${folder}/`, '');

/** Errors are wrapped. */
const unwrapped = (text: string): string => text.replaceAll('\n', ' ');

const publish = async (name: string, serial: number, privatePem = publisher.privatePem): Promise<string> => {
  const text = JSON.stringify({ ...loadEmbeddedMatrix(), serial, published: '2026-01-02', registries: undefined });
  await writeFile(at(name), text);
  await writeFile(at(`${name}.sig`), signMatrix(text, [privatePem]));
  return at(name);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vdoctl-matrix-'));
  await writeFile(at('publisher.pem'), publisher.publicPem);
  await publish('m9.json', 9);
  await publish('m7.json', 7);
  await publish('strange.json', 9, otherKey.privatePem);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const trust = (): readonly string[] => ['--trust', at('publisher.pem')];

describe('vdoctl matrix verify', () => {
  it('tells the serial and the key, without a cluster', async () => {
    const { exitCode, out } = await runVdoctl(['matrix', 'verify', at('m9.json'), ...trust()]);
    expect(exitCode).toBe(0);
    await expect(tidy(out)).toMatchFileSnapshot('golden/verify.txt');
    const json = await runVdoctl(['matrix', 'verify', at('m9.json'), ...trust(), '-o', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ serial: 9, keyId: keyIdOf(publisher.publicPem) });
  });

  it('refuses a strange key, a changed text, a missing signature and a missing file', async () => {
    const verify = (file: string) => runVdoctl(['matrix', 'verify', file, ...trust()]);
    const result = await verify(at('strange.json'));
    expect(result).toMatchObject({ exitCode: 1, err: expect.stringContaining('MatrixSignatureInvalid') });
    await writeFile(at('changed.json'), `${await readFile(at('m9.json'), 'utf8')} `);
    await writeFile(at('changed.json.sig'), await readFile(at('m9.json.sig')));
    expect(unwrapped((await verify(at('changed.json'))).err)).toContain('it does not match the document');
    await writeFile(at('bare.json'), await readFile(at('m9.json')));
    expect(unwrapped((await verify(at('bare.json'))).err)).toContain('there is no signature');
    const apart = ['--signature', at('m9.json.sig')];
    expect((await runVdoctl(['matrix', 'verify', at('bare.json'), ...apart, ...trust()])).exitCode).toBe(0);
    const nowhere = await verify('/nonexistent/m.json');
    expect(unwrapped(nowhere.err)).toContain('compatibility matrix from /nonexistent/m.json: the file does not exist');
    expect((await runVdoctl(['matrix', 'verify', at('m9.json'), '--trust', '/nonexistent.pem'])).exitCode).toBe(2);
  });
});

describe('vdoctl matrix pull', () => {
  it('keeps what verifies, from an address too, and never goes back', async () => {
    const server = createServer((request, response) => {
      void readFile(at((request.url ?? '').slice(1))).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const to = at('kept.json');
    const pull = (name: string) => runVdoctl(['matrix', 'pull', `${origin}/${name}`, '--to', to, ...trust()]);
    try {
      const result = await pull('strange.json');
      expect(result.exitCode).toBe(1);
      await expect(readFile(to)).rejects.toThrow();
      const pulled = await pull('m9.json');
      expect(pulled.exitCode).toBe(0);
      await expect(tidy(pulled.out)).toMatchFileSnapshot('golden/pull.txt');
      expect(await readFile(to, 'utf8')).toBe(await readFile(at('m9.json'), 'utf8'));
      expect((await runVdoctl(['matrix', 'verify', to, ...trust()])).exitCode).toBe(0);
      expect(await pull('m7.json')).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('the serial cannot decrease'),
      });
      expect((await pull('none.json')).err).toContain('status 404');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('vdoctl matrix update', () => {
  let cluster: SimCluster;
  beforeAll(async () => {
    cluster = await startSimCluster();
    const { kube } = cluster;
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await seedResource(
      kube,
      {
        distribution: 'Upstream',
        vcenters: [{ server: 'vc1.example.com', credentialsSecret: 'vc' }],
        csi: {},
        updates: { matrix: { url: 'https://example.com/matrix.json' } },
      },
      { versions: { matrix: { serial: 8, source: 'the operator image' } } },
    );
  });
  afterAll(() => cluster.stop());
  const update = (name: string, ...flags: readonly string[]) =>
    runVdoctl(['matrix', 'update', at(name), '--kubeconfig', cluster.kubeconfig, ...flags]);
  const updates = async () => (await cluster.kube.get(vsphereDrivers, { name: 'cluster' })).spec.updates;

  it('trusts nothing by itself, and never goes back behind the matrix in use', async () => {
    expect(await update('m9.json', '--yes')).toMatchObject({ exitCode: 1, err: expect.stringContaining('trusted') });
    const back = await update('m7.json', '--yes', ...trust());
    expect(back.exitCode).toBe(1);
    expect(unwrapped(back.err)).toContain('has serial 7, but serial 8 is in use (the operator image)');
    expect((await updates()).matrix).toEqual({ url: 'https://example.com/matrix.json' });
  });

  it('shows what would change with --dry-run, and asks', async () => {
    const { exitCode, out } = await update('m9.json', '--dry-run', ...trust());
    expect(exitCode).toBe(0);
    await expect(tidy(out)).toMatchFileSnapshot('golden/update-plan.txt');
    expect((await update('m9.json', ...trust())).exitCode).toBe(2);
    const key = { namespace, name: 'compatibility-matrix' };
    expect(await cluster.kube.find(configMaps, key)).toBeUndefined();
  });

  it('keeps matrix and signature in the ConfigMap, names it in the spec, and adds the key', async () => {
    expect((await update('m9.json', '--yes', ...trust())).exitCode).toBe(0);
    const stored = await cluster.kube.get(configMaps, { namespace, name: 'compatibility-matrix' });
    expect(stored.data).toEqual({
      'matrix.json': await readFile(at('m9.json'), 'utf8'),
      'matrix.json.sig': await readFile(at('m9.json.sig'), 'utf8'),
    });
    const { matrix, trustedKeys } = await updates();
    expect(matrix).toEqual({ configMap: { name: 'compatibility-matrix', key: 'matrix.json' } });
    expect(trustedKeys).toEqual([publisher.publicPem]);
    const again = await update('m9.json', '--yes');
    expect(again).toMatchObject({ exitCode: 0, out: expect.stringContaining('No changes.') });
  });

  it('leaves a ConfigMap that holds something else alone', async () => {
    await cluster.kube.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'vdo-matrix', namespace },
      data: { state: '{}' },
    });
    const { exitCode, err } = await update('m9.json', '--yes', '--configmap', 'vdo-matrix');
    expect(exitCode).toBe(2);
    expect(err).toContain('--configmap');
  });
});
