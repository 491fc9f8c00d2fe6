import { names } from '@vdo/config/names';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { hasHost } from '@vdo/releases/matrix';
import { isPlaceholder, loadReleaseSettings } from '@vdo/releases/release-settings';
import { describe, expect, it } from 'vitest';
import { manifests, pages, read } from '../docs/repository.ts';

const settings = loadReleaseSettings();

/** Registries of others that we name on purpose; the cloud provider published its older releases on the second. */
const knownRegistries = ['registry.k8s.io', 'gcr.io'];

describe('a name that is resolved on the internet belongs to us, to nobody, or to who is meant', () => {
  it('images of the shipped manifests', () => {
    const named = manifests().flatMap((file) =>
      [...read(file).matchAll(/(?:[iI]mage|must-gather-image): ["']?([a-z0-9][\w./:@-]+)/g)].map(([, image = '']) => ({
        file,
        image,
      })),
    );
    expect(named.length).toBeGreaterThan(3);
    const allowed = [settings.registry, ...knownRegistries];
    expect(named.filter(({ image }) => !allowed.some((registry) => image.startsWith(`${registry}/`)))).toEqual([]);
  });

  it('images of the compatibility matrix: those of others name their registry, ours get it from the release or the spec', () => {
    const images = loadEmbeddedMatrix().releases.flatMap((release) =>
      Object.values({ ...release.images, ...release.sidecars }).map(({ repository }) => repository),
    );
    expect(new Set(images.filter((repository) => !hasHost(repository)))).toEqual(new Set([names.image, 'vdo/node']));
    const hosts = images.filter(hasHost).map((repository) => repository.split('/')[0] ?? '');
    expect([...new Set(hosts)]).toEqual(knownRegistries);
  });

  it('places of the release: what is not named yet is a name that nobody can register', () => {
    // Until somebody publishes: then each is a place of theirs, and this list shrinks.
    expect(
      [settings.registry, settings.matrixUrl, settings.projectUrl].filter((place) => !isPlaceholder(place)),
    ).toEqual([]);
    expect(settings.npmScope).toBe('@example');
  });

  it('packages: each @vdo package is of this repository, never published, and never fetched', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly link?: boolean }>>;
    };
    const ours = Object.entries(lock.packages).filter(([path]) => /^node_modules\/@vdo\//.test(path));
    expect(ours.length).toBeGreaterThan(10);
    for (const [path, { resolved = '', link }] of ours) {
      expect(link, path).toBe(true);
      expect(resolved, path).toMatch(/^(apps|packages)\/[\w-]+$/);
      expect(JSON.parse(read(`${resolved}/package.json`)), path).toMatchObject({ private: true });
    }
  });

  it('commands of the documentation fetch no package whose name is not ours', () => {
    const run = pages().flatMap((page) =>
      [...read(page).matchAll(/\bnpx (?:--?[\w-]+ )*([@\w/.-]+)/g)].map(([, name = '']) => name),
    );
    // vdoctl and vitest are in node_modules/.bin of a clone, where these commands are typed.
    expect(new Set(run)).toEqual(new Set(['vdoctl', 'vitest']));
    expect(JSON.parse(read('apps/vdoctl/package.json'))).toHaveProperty('bin.vdoctl');
  });
});
