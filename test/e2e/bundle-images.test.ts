import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { tar } from '@vdo/vdoctl/shared/archive/tar';
import { untar } from '@vdo/vdoctl/shared/archive/untar';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { type OciRegistry, startOciRegistry } from '../harness/oci-registry.ts';
import { publishPlacedMatrix } from '../harness/placed-matrix.ts';
import { writeSmallLayout } from '../harness/small-layout.ts';

const sample = fileURLToPath(new URL('../../deploy/samples/minimal.yaml', import.meta.url));
const upstream = fileURLToPath(new URL('../../deploy/samples/upstream.yaml', import.meta.url));
const names = ['vdo/vdo:0.1.0', 'vdo/node:0.1.0'];

describe('a bundle with its images', () => {
  let folder: TempFolder;
  let mirror: OciRegistry;
  let digests: ReadonlyMap<string, string>;
  const at = (name: string): string => folder.file(name);
  const create = (name: string, ...more: readonly string[]) =>
    runVdoctl([
      ...['bundle', 'create', '--output', at(name), '--registry', `${mirror.host}/inside`, '--kubernetes', '1.34.1'],
      ...['--vsphere', '8.0.3', '--operator-version', '0.1.0', ...more],
    ]);
  const load = (name: string, ...more: readonly string[]) =>
    runVdoctl(['bundle', 'load', at(name), '--plain-http', ...more]);
  /** The bundle with one file of it changed or left out. */
  const changed = async (name: string, change: (path: string, content: Uint8Array) => Uint8Array | undefined) => {
    const entries = untar(await readFile(at('whole.tar'))).flatMap(({ path, content }) => {
      const fresh = change(path, content);
      return fresh ? [{ path, content: fresh }] : [];
    });
    await writeFile(at(name), tar(entries, { seconds: 0 }));
  };

  beforeAll(async () => {
    [folder, mirror] = [await createTempFolder('bundle'), await startOciRegistry()];
    digests = await writeSmallLayout(
      at('layout'),
      names.map((name) => `registry.test/${name}`),
    );
    const made = await create('whole.tar', '--file', sample, '--images', at('layout'));
    expect(made.exitCode, made.err).toBe(0);
    expect(made.err).toMatch(/2 images inside/);
  });
  afterAll(async () => {
    await mirror?.close();
    await folder?.remove();
  });

  it('is valid, and says what to do next', async () => {
    const { exitCode, out } = await runVdoctl(['bundle', 'verify', at('whole.tar')]);
    expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringMatching(/2 images inside, for /) });
    expect(out).toContain(`Next: vdoctl bundle load ${at('whole.tar')}`);
  });

  it('is the same when it is created again', async () => {
    await create('again.tar', '--file', sample, '--images', at('layout'));
    expect((await readFile(at('again.tar'))).equals(await readFile(at('whole.tar')))).toBe(true);
  });

  it('brings them into the registry, whole and under the names of its manifests', async () => {
    const { exitCode, out, err } = await load('whole.tar');
    expect(exitCode, err).toBe(0);
    for (const name of names) {
      const [repository = '', tag = ''] = name.split(':');
      expect(mirror.digestOf(`inside/${repository}`, tag), name).toBe(digests.get(`registry.test/${name}`));
    }
    expect(out).toContain(`vdoctl install --registry ${mirror.host}/inside`);
    expect(out).toContain(`spec.images.registry: ${mirror.host}/inside`);
  });

  it('sends nothing a second time', async () => {
    const { err } = await load('whole.tar');
    expect(err).toMatch(/2 of 2 .*0\.0 MB sent, .* MB was there/);
  });

  it.each([
    [
      'a blob that was changed',
      (path: string, content: Uint8Array) => (path.includes('/blobs/') ? Buffer.from('x') : content),
      /was changed/,
    ],
    ['no blobs', (path: string, content: Uint8Array) => (path.includes('/blobs/') ? undefined : content), /is missing/],
    [
      'an index that was changed',
      (path: string, content: Uint8Array) => (path === 'images/index.json' ? Buffer.from('{}') : content),
      /images\/index\.json/,
    ],
  ])('with %s is refused before anything is sent', async (_, change, words) => {
    await changed('bad.tar', change);
    mirror.clear();
    const { exitCode, err } = await load('bad.tar');
    expect({ exitCode, err }).toMatchObject({ exitCode: 3, err: expect.stringMatching(words) });
    expect(mirror.digestOf('inside/vdo/node', '0.1.0')).toBeUndefined();
  });

  it('is not created when an image is nowhere, and names it', async () => {
    await mkdir(at('empty'));
    await writeFile(at('empty/index.json'), '{"manifests":[]}');
    const { exitCode, err } = await create('lacks.tar', '--file', sample, '--images', at('empty'));
    expect(exitCode).toBe(2);
    expect(err).toMatch(/image vdo\/(vdo|node):0\.1\.0 was not found in/);
    const { err: notThere } = await create('lacks.tar', '--file', sample, '--images', at('nowhere'));
    expect(notThere).toContain('no folder of images');
  });

  it('without images cannot be loaded', async () => {
    await create('plain.tar', '--file', sample);
    expect(await load('plain.tar')).toMatchObject({ exitCode: 2, err: expect.stringContaining('contains no images') });
  });

  it('takes what no folder has from the registries', async () => {
    const source = await startOciRegistry();
    const trusted = await publishPlacedMatrix(source, folder);
    const made = await create(
      'pulled.tar',
      ...['--file', upstream, '--images', at('layout'), '--pull', '--plain-http', '--from', source.host, ...trusted],
    );
    expect(made.exitCode, made.err).toBe(0);
    mirror.clear();
    const loaded = await load('pulled.tar');
    expect(loaded.exitCode, loaded.err).toBe(0);
    expect(loaded.err).toContain('syncer');
    await source.close();
  });
});
