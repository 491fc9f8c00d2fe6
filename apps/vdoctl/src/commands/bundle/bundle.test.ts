import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps } from '@vdo/kube/types/core';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { keyIdOf, signMatrix } from '@vdo/releases/matrix-signature';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { tar } from '../../shared/archive/tar.ts';
import { untar } from '../../shared/archive/untar.ts';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { startWalkTestbed } from '../../testing/walk-testbed.ts';

const sample = fileURLToPath(new URL('../../../../../deploy/samples/minimal.yaml', import.meta.url));
const versions = ['--kubernetes', '1.34.1', '--vsphere', '8.0.3'];
const registry = ['--registry', 'mirror.example.com/vdo'];
const operator = ['--operator-version', '9.9.9'];
const digest = `sha256:${'a'.repeat(64)}`;

describe('vdoctl bundle', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publisher = publicKey.export({ type: 'spki', format: 'pem' }).toString();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vdoctl-airgap-'));
    const { releases } = loadEmbeddedMatrix();
    const image = { repository: 'vdo/vdo', tag: '9.2.0', digest };
    const signed = {
      schemaVersion: 1,
      serial: 900,
      published: '2026-05-20',
      releases: releases
        .filter(({ distribution }) => distribution === 'Native')
        .map((release) => ({ ...release, version: '9.2.0', images: { vdo: image } })),
    };
    const text = JSON.stringify(signed);
    await writeFile(at('publisher.pem'), publisher);
    await writeFile(at('matrix.json'), text);
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await writeFile(at('matrix.json.sig'), signMatrix(text, [key]));
    await writeFile(at('publisher.key'), key);
    const otherKey = generateKeyPairSync('ed25519');
    await writeFile(at('stranger.key'), otherKey.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await writeFile(at('stranger.pem'), otherKey.publicKey.export({ type: 'spki', format: 'pem' }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const trust = () => ['--trust', at('publisher.pem')];
  const given = () => ['--file', sample, ...versions, ...registry, ...operator];
  const create = (name: string, ...argv: readonly string[]) =>
    runVdoctl(['bundle', 'create', '--output', at(name), ...given(), ...argv]);
  const filesOf = async (name: string): Promise<ReadonlyMap<string, string>> =>
    new Map(untar(await readFile(at(name))).map(({ path, content }) => [path, Buffer.from(content).toString()]));
  const signedOne = () => ['--matrix', at('matrix.json'), ...trust()];
  const bundleSigned = () => [...signedOne(), '--sign', at('publisher.key')];

  it('packs matrix, signature, manifests and the exact commands, and no secret', async () => {
    const { exitCode, out, err } = await create('signed.tar', ...bundleSigned(), '--vdo-from', 'source.example.com');
    expect(exitCode, err).toBe(0);
    expect(out).toBe(`${at('signed.tar')}\n`);
    const files = await filesOf('signed.tar');
    expect(files.get('matrix/matrix.json')).toBe(await readFile(at('matrix.json'), 'utf8'));
    expect(files.get('matrix/matrix.json.sig')).toBe(await readFile(at('matrix.json.sig'), 'utf8'));
    expect(parse(files.get('drivers.yaml') ?? '')).toMatchObject({
      kind: 'VSphereDrivers',
      spec: {
        images: { registry: 'mirror.example.com/vdo' },
        updates: {
          policy: 'Pinned',
          versions: { cpi: '9.2.0', csi: '9.2.0' },
          matrix: { configMap: { name: 'compatibility-matrix' } },
        },
      },
    });
    expect(files.get('manifests/operator.yaml')).toContain('image: mirror.example.com/vdo/vdo/vdo:9.9.9');
    const workloads = files.get('manifests/drivers/06-workloads.yaml') ?? '';
    expect(workloads).toContain(`image: mirror.example.com/vdo/vdo/vdo@${digest}`);
    expect([...files.values()].join('')).not.toMatch(/^kind: Secret$/m);
    const readme = files.get('README.md') ?? '';
    const scripts = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
    expect(scripts.length).toBeGreaterThan(5);
    for (const script of scripts) await promisify(execFile)('bash', ['-n', '-c', script]);
    await expect(readme).toMatchFileSnapshot('golden/readme.md.txt');
  });

  it('gives the same bytes for the same input, and overwrites nothing', async () => {
    await create('one.tar');
    await create('two.tar');
    expect(await readFile(at('one.tar'))).toEqual(await readFile(at('two.tar')));
    const again = await create('one.tar');
    expect(again).toMatchObject({ exitCode: 2, err: expect.stringContaining('already exists') });
  });

  it('asks in its script for registries that nobody named', async () => {
    await create('asks.tar');
    const readme = (await filesOf('asks.tar')).get('README.md') ?? '';
    expect(readme).toContain('VDO_SOURCE:?set it to the registry that has the images of VDO}"');
    expect(readme).toContain('so it needs no separate signature');
  });

  it('takes the matrix in use from the cluster', async () => {
    const testbed = await startWalkTestbed();
    try {
      const cluster = ['--kubeconfig', testbed.kubeconfig];
      const refused = await testbed.run(['bundle', 'create', '--output', at('no.tar'), ...registry, ...cluster]);
      expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('--matrix SOURCE --trust') });
      const data = {
        'matrix.json': await readFile(testbed.at('matrix.json'), 'utf8'),
        'matrix.json.sig': await readFile(testbed.at('matrix.json.sig'), 'utf8'),
      };
      const metadata = { name: 'matrix', namespace: 'vmware-system-vdo' };
      await testbed.kube.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
      const updates = { matrix: { configMap: { name: 'matrix' } }, trustedKeys: [testbed.publisher] };
      const body = { spec: { updates } };
      await testbed.kube.patch(vsphereDrivers, { name: 'cluster' }, { type: 'merge', body });
      const made = await testbed.run(['bundle', 'create', '--output', at('cluster.tar'), ...registry, ...cluster]);
      expect(made.exitCode, made.err).toBe(0);
      expect(made.err).toContain('Matrix 900 from ConfigMap matrix, in use by the operator.');
      expect(JSON.parse((await filesOf('cluster.tar')).get('bundle.json') ?? '')).toMatchObject({
        matrix: { serial: 900, signed: true },
        releases: [{ driver: 'cpi', version: '9.2.0' }, { driver: 'csi' }],
      });
    } finally {
      await testbed.stop();
    }
  });

  it('verifies what it made, and the keys of the whole and of the matrix', async () => {
    await create('verified.tar', ...bundleSigned());
    const plain = await runVdoctl(['bundle', 'verify', at('verified.tar')]);
    expect(plain).toMatchObject({ exitCode: 0, out: expect.stringContaining('ignature not checked') });
    const trusted = await runVdoctl(['bundle', 'verify', at('verified.tar'), ...trust(), '-o', 'json']);
    expect(JSON.parse(trusted.out)).toMatchObject({
      bundleSignature: { keyId: keyIdOf(publisher) },
      signature: { keyId: keyIdOf(publisher) },
      matrix: { serial: 900, signed: true },
      images: [
        { digest, tag: '9.2.0' },
        { digest: null, tag: '9.9.9' },
      ],
    });
  });

  it('names each file that is not as it was packed', async () => {
    await create('whole.tar', ...bundleSigned());
    const entries = untar(await readFile(at('whole.tar')));
    const verify = async (changed: typeof entries, ...argv: readonly string[]) => {
      await writeFile(at('changed.tar'), tar(changed, { seconds: 0 }));
      const { exitCode, err } = await runVdoctl(['bundle', 'verify', at('changed.tar'), ...argv]);
      return { exitCode, err: err.replaceAll('\n', ' ') };
    };
    const edit = (path: string, change: (text: string) => string) =>
      entries.map((entry) =>
        entry.path === path ? { path, content: Buffer.from(change(Buffer.from(entry.content).toString())) } : entry,
      );
    expect((await verify(entries)).exitCode).toBe(0);
    expect(await verify(edit('drivers.yaml', (text) => `${text}#`))).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('drivers.yaml was changed'),
    });
    expect((await verify(entries.filter(({ path }) => path !== 'README.md'))).err).toContain('README.md is missing');
    const extra = { path: 'extra.sh', content: Buffer.from('x') };
    expect((await verify([...entries, extra])).err).toContain('extra.sh is not listed');
    // Whoever changes a manifest and its sum is still found out, by the list of images.
    const other = edit('manifests/operator.yaml', (text) => text.replace('vdo/vdo:9.9.9', 'evil/vdo:9.9.9'));
    expect((await verify(other)).err).toContain('evil/vdo:9.9.9, which is not listed');
    const matrix = edit('matrix/matrix.json', (text) => `${text} `);
    expect((await verify(matrix, ...trust())).err).toContain('it does not match the document');
    expect((await verify(edit('bundle.json', () => '{}'))).err).toContain('bundle.json: schemaVersion');
  });

  it('approves with --trust only what a trusted key has signed as a whole', async () => {
    const verify = async (name: string, ...argv: readonly string[]) => {
      const { exitCode, out, err } = await runVdoctl(['bundle', 'verify', at(name), ...argv]);
      return { exitCode, text: `${out}${err}`.replace(/\s+/g, ' ') };
    };
    await create('unsigned.tar', ...signedOne());
    expect(await verify('unsigned.tar')).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('Not signed'),
    });
    expect(await verify('unsigned.tar', ...trust())).toMatchObject({
      exitCode: 3,
      text: expect.stringContaining('it is not signed'),
    });
    await create('built-in.tar', '--sign', at('publisher.key'));
    expect((await verify('built-in.tar', ...trust())).exitCode).toBe(0);
    await create('strangers.tar', ...signedOne(), '--sign', at('stranger.key'));
    expect(await verify('strangers.tar', ...trust())).toMatchObject({
      exitCode: 3,
      text: expect.stringContaining('it was made with key'),
    });

    // Whoever changes a file changes its sum too; all that is shown then is that the sums are not those that were signed.
    await create('true.tar', ...bundleSigned());
    const entries = untar(await readFile(at('true.tar')));
    const textOf = (path: string) => Buffer.from(entries.find((one) => one.path === path)?.content ?? '').toString();
    const forge = async (change: (path: string, text: string) => string) => {
      const files = new Map(entries.map(({ path }) => [path, change(path, textOf(path))]));
      const index = JSON.parse(files.get('bundle.json') ?? '');
      index.files = index.files.map((one: { path: string }) => {
        const text = files.get(one.path) ?? '';
        const sha256 = createHash('sha256').update(text).digest('hex');
        return { ...one, bytes: Buffer.byteLength(text), sha256 };
      });
      files.set('bundle.json', `${JSON.stringify(index, undefined, 2)}\n`);
      const forged = [...files].map(([path, text]) => ({ path, content: Buffer.from(text) }));
      await writeFile(at('forged.tar'), tar(forged, { seconds: 0 }));
      return verify('forged.tar', ...trust());
    };
    expect((await forge((_, text) => text)).exitCode).toBe(0);
    for (const path of ['drivers.yaml', 'README.md', 'manifests/operator.yaml', 'images.txt'])
      expect(await forge((one, text) => (one === path ? `${text}# evil\n` : text)), path).toMatchObject({
        exitCode: 3,
        text: expect.stringContaining('does not match the document'),
      });
    // The signature of the matrix beside it vouches for the matrix alone.
    const matrixSignature = textOf('matrix/matrix.json.sig');
    expect((await forge((path, text) => (path === 'bundle.json.sig' ? matrixSignature : text))).exitCode).toBe(3);
  });

  it('refuses archives that other programs read differently', async () => {
    await create('plain.tar', ...bundleSigned());
    const entries = untar(await readFile(at('plain.tar')));
    const verify = async (changed: typeof entries) => {
      await writeFile(at('odd.tar'), tar(changed, { seconds: 0 }));
      return (await runVdoctl(['bundle', 'verify', at('odd.tar')])).exitCode;
    };
    const drivers = entries.filter(({ path }) => path === 'drivers.yaml');
    expect(await verify([{ path: 'drivers.yaml', content: Buffer.from('evil') }, ...entries])).toBe(3);
    expect(await verify([...entries, ...drivers])).toBe(3);
    expect(await verify([...entries, { path: '../evil', content: Buffer.from('x') }])).toBe(3);
  });

  it('takes no key of another kind', async () => {
    const refused = await create('none.tar', '--sign', at('publisher.pem'));
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('openssl genpkey -algorithm ed25519') });
  });

  it('tells what is no bundle, and what was cut off', async () => {
    const verify = (name: string) => runVdoctl(['bundle', 'verify', name]);
    await create('long.tar');
    await writeFile(at('cut.tar'), (await readFile(at('long.tar'))).subarray(0, 3000));
    expect(await verify(at('cut.tar'))).toMatchObject({ exitCode: 3, err: expect.stringContaining('truncated') });
    expect(await verify(at('publisher.pem'))).toMatchObject({ exitCode: 3 });
    expect(await verify('/nonexistent.tar')).toMatchObject({ exitCode: 2 });
  });
});
