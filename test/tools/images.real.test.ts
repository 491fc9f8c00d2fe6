import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isElf, loadedBy } from '../../tools/image/elf.ts';
import type { TarEntry } from '../../tools/image/tar.ts';
import { untarAll } from '../../tools/image/untar.ts';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { run } from '../harness/run.ts';
import { makeImages } from '../harness/vdo-image.ts';

const registry = 'registry.test';
const megabyte = 1e6;

interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly platform: { readonly architecture: string };
  readonly annotations: Readonly<Record<string, string>>;
}
interface Image {
  readonly name: string;
  readonly architecture: string;
  readonly digest: string;
  readonly layerBytes: number;
  readonly config: { readonly User: string };
  /** The last layer wins, as in a container. */
  readonly files: ReadonlyMap<string, TarEntry>;
}

/** Every image of a layout, read file by file. */
const readImages = async (layout: string): Promise<readonly Image[]> => {
  const blob = (digest: string) => readFile(`${layout}/blobs/${digest.replace(':', '/')}`);
  const json = async (digest: string) => JSON.parse((await blob(digest)).toString());
  const { manifests } = JSON.parse(await readFile(`${layout}/index.json`, 'utf8'));
  const all = (manifests as readonly Descriptor[]).map(async ({ digest, annotations }) => {
    const platforms: readonly Descriptor[] = (await json(digest)).manifests;
    return Promise.all(
      platforms.map(async (one) => {
        const { layers, config }: { layers: readonly Descriptor[]; config: Descriptor } = await json(one.digest);
        const entries: TarEntry[] = [];
        for (const layer of layers) entries.push(...untarAll(gunzipSync(await blob(layer.digest))));
        return {
          name: annotations['org.opencontainers.image.ref.name'] ?? '',
          architecture: one.platform.architecture,
          digest: one.digest,
          layerBytes: layers.reduce((sum, { size }) => sum + size, 0),
          config: (await json(config.digest)).config,
          files: new Map(entries.map((entry) => [entry.path, entry])),
        };
      }),
    );
  });
  return (await Promise.all(all)).flat();
};

// The images that a release pushes, from packages that are pinned by their checksums. Needs xz and skopeo; fetches what is not cached.
describe('the images of a release', () => {
  let folder: TempFolder;
  let images: readonly Image[];
  const named = (name: string, architecture: string): Image => {
    const found = images.find((one) => one.name.includes(`/${name}:`) && one.architecture === architecture);
    if (!found) throw new Error(`no ${name} for ${architecture}`);
    return found;
  };

  beforeAll(async () => {
    folder = await createTempFolder('images');
    await makeImages(folder.file('first'), { registry });
    images = await readImages(folder.file('first'));
  }, 600_000);
  afterAll(() => folder?.remove());

  it('are two, each for two architectures, and as small as promised', () => {
    expect(images.map(({ name, architecture }) => `${name} ${architecture}`)).toEqual([
      'registry.test/vdo/vdo:0.1.0 amd64',
      'registry.test/vdo/vdo:0.1.0 arm64',
      'registry.test/vdo/node:0.1.0 amd64',
      'registry.test/vdo/node:0.1.0 arm64',
    ]);
    for (const { name, layerBytes } of images)
      expect(layerBytes, name).toBeLessThan((name.includes('/node:') ? 95 : 55) * megabyte);
  });

  it('are the same, bit by bit, when they are made again in other surroundings', async () => {
    const env = { TZ: 'Pacific/Auckland', LANG: 'C', TMPDIR: folder.file('elsewhere') };
    await mkdir(env.TMPDIR);
    await makeImages(folder.file('second'), { registry, architecture: 'amd64', env });
    const again = await readImages(folder.file('second'));
    expect(again.map(({ digest }) => digest)).toEqual(['vdo', 'node'].map((name) => named(name, 'amd64').digest));
  }, 600_000);

  it('have every library that a program of theirs loads', () => {
    const missing = images.flatMap(({ name, architecture, files }) => {
      const names = new Set([...files.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1)));
      return [...files.values()].flatMap(({ path, content }) =>
        content && isElf(content)
          ? loadedBy(Buffer.from(content))
              .filter((library) => !names.has(library.slice(library.lastIndexOf('/') + 1)))
              .map((library) => `${name} ${architecture}: ${path} loads ${library}`)
          : [],
      );
    });
    expect(missing).toEqual([]);
  });

  it('have no program that runs with the rights of its owner, and no password', () => {
    for (const { files, config } of images) {
      expect(config.User).toBe('65532:65532');
      expect([...files.values()].filter(({ mode = 0 }) => (mode & 0o6000) !== 0)).toEqual([]);
      expect(files.has('etc/shadow')).toBe(false);
    }
  });

  it('tell scanners what they are made of, and bring the licences and a bill of materials', () => {
    for (const { files, name, architecture } of images) {
      const textOf = (path: string) => Buffer.from(files.get(path)?.content ?? '').toString();
      expect(textOf('etc/os-release').length + textOf('usr/lib/os-release').length, name).toBeGreaterThan(0);
      const noted = [...files.keys()].flatMap((path) => /^var\/lib\/dpkg\/status\.d\/([^/]+)$/.exec(path)?.[1] ?? []);
      const packages = noted.filter((one) => !one.endsWith('.md5sums'));
      expect(textOf('var/lib/dpkg/status.d/libc6')).toMatch(/^Version: \S+$/m);
      const bill = JSON.parse(textOf('app/sbom.cdx.json'));
      const purls: readonly string[] = bill.components.map(({ purl }: { purl: string }) => purl);
      const debs = purls.filter((purl) => purl.startsWith('pkg:deb/'));
      expect(
        debs.map((purl) => /debian\/([^@]+)@/.exec(purl)?.[1]).map((one) => decodeURIComponent(one ?? '')),
      ).toEqual(packages.toSorted());
      expect(debs.every((purl) => purl.includes(`arch=${architecture}`) || purl.includes('arch=all'))).toBe(true);
      expect(purls).toEqual(expect.arrayContaining([expect.stringMatching(/^pkg:generic\/node@/)]));
      for (const one of packages)
        expect(files.has(`usr/share/doc/${one}/copyright`) || files.has(`usr/share/doc/${one}`), one).toBe(true);
      expect(textOf('app/LICENSES-THIRD-PARTY.txt')).toContain('undici');
      expect(textOf('usr/share/doc/node/copyright')).toContain('Node.js');
      expect(textOf('etc/ssl/certs/ca-certificates.crt').match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(100);
    }
  });

  it.each([
    ['vdo', ['operator', 'cpi', 'csi', 'vdoctl']],
    ['node', ['csi']],
  ])('%s starts on this machine with nothing but what is inside', async (name, programs) => {
    const root = folder.file(`root-${name}`);
    const { files } = named(name, process.arch === 'arm64' ? 'arm64' : 'amd64');
    for (const { path, content, linkTo, mode } of files.values()) {
      await mkdir(`${root}/${content || linkTo !== undefined ? dirname(path) : path}`, { recursive: true });
      if (content) await writeFile(`${root}/${path}`, content, { mode: mode ?? 0o644 });
      else if (linkTo !== undefined) await symlink(linkTo, `${root}/${path}`);
    }
    for (const program of programs)
      expect(await run('chroot', [root, 'node', `/app/${program}.js`, '--help'])).toMatch(/^Usage:/);
    const tools =
      name === 'vdo' ? ['bash', 'tar', 'gather', 'mv'] : ['mkfs.xfs', 'mkfs.ext4', 'btrfs', 'mount.nfs4', 'udevadm'];
    const found = await run('chroot', [root, 'sh', '-c', `for one in ${tools.join(' ')}; do command -v $one; done`]);
    expect(found.trim().split('\n')).toHaveLength(tools.length);
  });

  it('are read whole by skopeo, digest by digest', async () => {
    const from = `oci:${folder.file('first')}:registry.test/vdo/node:0.1.0`;
    const copy = spawnSync(
      'skopeo',
      ['copy', '--all', '--preserve-digests', from, `oci:${folder.file('copied')}:node`],
      {
        encoding: 'utf8',
      },
    );
    expect(copy.status, copy.stderr).toBe(0);
    expect((await readImages(folder.file('copied'))).map(({ digest }) => digest)).toEqual(
      ['amd64', 'arm64'].map((architecture) => named('node', architecture).digest),
    );
  });
});
