import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Architecture, layers } from '../../tools/image/contents.ts';
import { type Deb, readDeb } from '../../tools/image/deb.ts';
import { isElf, loadedBy, withoutSections } from '../../tools/image/elf.ts';
import { imageOf, layerOf, layoutFiles } from '../../tools/image/oci.ts';
import { inOrder, packageLayer } from '../../tools/image/root-files.ts';
import { type TarEntry, tarOf } from '../../tools/image/tar.ts';
import { untarAll } from '../../tools/image/untar.ts';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { run } from '../harness/run.ts';

const long = `usr/share/${'deep/'.repeat(20)}a-file-with-a-name-that-makes-it-more-than-a-hundred`;
const text = (path: string, content: string, mode = 0o644): TarEntry => ({ path, content: Buffer.from(content), mode });
const pathsOf = (entries: readonly TarEntry[]) => entries.map(({ path }) => path);

describe('archives', () => {
  let folder: TempFolder;
  beforeAll(async () => {
    folder = await createTempFolder('layers');
  });
  afterAll(() => folder.remove());

  it('come back as they were written', () => {
    const entries = [
      { path: 'etc', mode: 0o755 },
      text('etc/passwd', 'root'),
      { path: 'bin', linkTo: 'usr/bin', mode: 0o777 },
      text(long, 'x'),
    ];
    expect(untarAll(tarOf(entries))).toEqual(entries);
  });

  it.each(['gnu', 'pax', 'ustar'])(
    'of tar in the format %s are read: long names, both kinds of links, no right of the owner',
    async (format) => {
      const at = folder.file(format);
      await run('/bin/sh', [
        '-ec',
        `mkdir -p ${at}/$(dirname ${long}) && cd ${at} && printf long >${long} && printf program >su && chmod 4755 su &&
       ln su hard && ln -s su soft && tar --format=${format} -cf ../${format}.tar ./usr ./su ./hard ./soft`,
      ]);
      const byPath = new Map(
        untarAll(await readFile(folder.file(`${format}.tar`))).map((entry) => [entry.path, entry]),
      );
      expect(Buffer.from(byPath.get(long)?.content ?? '').toString()).toBe('long');
      expect(byPath.get('su')?.mode).toBe(0o755);
      expect(byPath.get('hard')?.linkTo).toBe('/su');
      expect(byPath.get('soft')?.linkTo).toBe('su');
    },
  );

  it('that are cut off are refused', () => {
    expect(() => untarAll(tarOf([text('a', 'x'.repeat(2000))]).subarray(0, 1024))).toThrow('cut off');
  });
});

const member = (name: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(content.length).padEnd(10)}\`\n`,
    ),
    content,
    Buffer.alloc(content.length % 2, '\n'),
  ]);
const xz = (content: Buffer): Buffer => spawnSync('xz', ['-c'], { input: content }).stdout;

describe('a package of Debian', () => {
  const archive = (members: Readonly<Record<string, Buffer>>): Buffer =>
    Buffer.concat([
      Buffer.from('!<arch>\n'),
      ...Object.entries(members).map(([name, content]) => member(name, content)),
    ]);

  it('tells its own description and its files', () => {
    const deb = readDeb(
      archive({
        'debian-binary': Buffer.from('2.0\n'),
        'control.tar.xz': xz(tarOf([text('./control', 'Package: a\n'), text('./md5sums', 'sums\n')])),
        'data.tar.xz': xz(tarOf([text('./usr/bin/a', 'program', 0o755)])),
      }),
    );
    expect(deb).toMatchObject({ control: 'Package: a\n', md5sums: 'sums\n' });
    expect(deb.entries).toEqual([text('usr/bin/a', 'program', 0o755)]);
  });

  it('that is none, or is packed in another way, is refused', () => {
    expect(() => readDeb(Buffer.from('something else'))).toThrow('no Debian package');
    expect(() => readDeb(archive({ 'control.tar.zst': Buffer.from('x') }))).toThrow('only control.tar.zst');
  });
});

describe('programs', () => {
  let shell: Buffer;
  beforeAll(async () => {
    shell = await readFile('/bin/sh');
  });

  it('run without what only debuggers read, and say what they load', async () => {
    const folder = await createTempFolder('elf');
    const cut = withoutSections(shell);
    await writeFile(folder.file('sh'), cut, { mode: 0o755 });
    expect(isElf(cut)).toBe(true);
    expect(cut.length).toBeLessThan(shell.length);
    expect(await run(folder.file('sh'), ['-c', 'echo it runs'])).toBe('it runs\n');
    expect(loadedBy(cut)).toEqual(loadedBy(shell));
    expect(loadedBy(cut)).toEqual(expect.arrayContaining([expect.stringMatching(/^\/lib/), 'libc.so.6']));
    await folder.remove();
  });
});

describe('the layer of packages', () => {
  const debs: Readonly<Record<string, readonly TarEntry[]>> = {
    libc6: [
      text('lib/x86_64-linux-gnu/libc.so.6', 'library'),
      text('usr/share/doc/libc6/copyright', 'LGPL'),
      text('usr/share/doc/libc6/changelog.gz', 'news'),
      text('usr/lib/x86_64-linux-gnu/gconv/X.so', 'never used'),
    ],
    'ca-certificates': [
      text('usr/share/ca-certificates/mozilla/B.crt', 'B\n'),
      text('usr/share/ca-certificates/mozilla/A.crt', 'A\n'),
      text('usr/sbin/update-ca-certificates', 'script'),
    ],
  };
  const read = (name: string): Deb => ({ control: `Package: ${name}\n`, md5sums: '', entries: debs[name] ?? [] });
  const layer = packageLayer('base', 'amd64' satisfies Architecture, read);
  const textOf = (path: string) => Buffer.from(layer.find((entry) => entry.path === path)?.content ?? '').toString();

  it('has /usr merged, certificates as one file, and licences, without what only people read', () => {
    expect(pathsOf(layer)).toEqual(
      expect.arrayContaining(['usr/lib/x86_64-linux-gnu/libc.so.6', 'usr/share/doc/libc6/copyright', 'lib', 'tmp']),
    );
    expect(layer.find(({ path }) => path === 'lib')?.linkTo).toBe('usr/lib');
    expect(layer.find(({ path }) => path === 'tmp')?.mode).toBe(0o1777);
    expect(pathsOf(layer).filter((path) => /changelog|gconv|update-ca/.test(path))).toEqual([]);
    expect(textOf('etc/ssl/certs/ca-certificates.crt')).toBe('A\nB\n');
    expect(textOf('etc/passwd')).toMatch(/^nonroot:x:65532:65532:/m);
  });

  it('tells scanners of every package', () => {
    for (const { name } of layers.base)
      expect(textOf(`var/lib/dpkg/status.d/${name}`)).toBe(`Package: ${name}\nStatus: install ok installed\n`);
  });
});

describe('an image', () => {
  const make = (order: 'one' | 'other') => {
    const entries = [text('b/c', 'x'), text('a', 'y')];
    const layer = layerOf('files', inOrder(order === 'one' ? entries : entries.toReversed()));
    const config = { User: '65532:65532' };
    const both = ['amd64', 'arm64'].map((architecture) => ({ architecture, layers: [layer], config }));
    return imageOf(both, { created: '2026-01-01T00:00:00Z', annotations: {} });
  };

  it('has the same digest whatever order its files came in', () => {
    expect(make('other').descriptor).toEqual(make('one').descriptor);
  });

  it('holds every blob that it names, and is found by its name', () => {
    const { descriptor, blobs } = make('one');
    const byDigest = new Map(blobs.map(({ digest, content }) => [digest, content]));
    const read = (digest: string) => JSON.parse(byDigest.get(digest)?.toString() ?? 'null');
    for (const { digest, platform } of read(descriptor.digest).manifests) {
      const { config, layers: all } = read(digest);
      expect(read(config.digest)).toMatchObject({ ...platform, config: { User: '65532:65532' } });
      for (const one of all) expect(byDigest.get(one.digest)).toHaveLength(one.size);
      expect(pathsOf(untarAll(gunzipSync(byDigest.get(all[0].digest) ?? gzipSync(''))))).toEqual(['a', 'b', 'b/c']);
    }
    const [index] = JSON.parse(layoutFiles([{ name: 'r/vdo:1', descriptor }])['index.json'] ?? '').manifests;
    expect(index).toMatchObject({
      digest: descriptor.digest,
      annotations: { 'org.opencontainers.image.ref.name': 'r/vdo:1' },
    });
  });
});
