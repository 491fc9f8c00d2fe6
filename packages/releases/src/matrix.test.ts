import { describe, expect, it } from 'vitest';
import { loadEmbeddedMatrix } from './embedded-matrix.ts';
import { acceptMatrix, type ImageRef, parseMatrix, type Release } from './matrix.ts';

const good = () => JSON.parse(JSON.stringify(loadEmbeddedMatrix()));
const parse = (document: unknown) => parseMatrix(JSON.stringify(document), 'test');

describe('parseMatrix', () => {
  it('reads what it has written', () => {
    expect(parse(good())).toEqual(loadEmbeddedMatrix());
  });

  const broken: readonly [
    string,
    (matrix: Record<string, unknown> & { releases: Record<string, unknown>[] }) => void,
    RegExp,
  ][] = [
    ['an unknown format', (matrix) => Object.assign(matrix, { schemaVersion: 2 }), /schemaVersion/],
    ['no serial', (matrix) => Object.assign(matrix, { serial: 0 }), /serial/],
    ['no release', (matrix) => Object.assign(matrix, { releases: [] }), /releases/],
    ['an unknown key', (matrix) => Object.assign(matrix.releases[0] ?? {}, { colour: 'red' }), /releases\.0.*colour/],
    [
      'a version that is none',
      (matrix) => Object.assign(matrix.releases[0] ?? {}, { version: 'latest' }),
      /releases\.0\.version.*semantic version/,
    ],
    [
      'a range that is none',
      (matrix) => Object.assign(matrix.releases[0] ?? {}, { kubernetes: { min: 'v1.28', max: '1.x' } }),
      /releases\.0\.kubernetes\.min.*releases\.0\.kubernetes\.max/,
    ],
    [
      'a made-up digest',
      (matrix) =>
        Object.assign(matrix.releases[0] ?? {}, {
          images: { vdo: { repository: 'a/b', tag: 'x', digest: 'sha256:123' } },
        }),
      /digest/,
    ],
    [
      'a release listed twice',
      (matrix) => matrix.releases.push({ ...matrix.releases[0] }),
      /Native cpi 0\.1\.0 is listed twice/,
    ],
  ];
  it.each(broken)('refuses %s', (_name, damage, message) => {
    const matrix = good();
    damage(matrix);
    expect(() => parse(matrix)).toThrow(
      expect.objectContaining({ code: 'MatrixInvalid', message: expect.stringMatching(message) }),
    );
  });

  it('completes the names of images with the registry of their distribution', () => {
    const bare = (images: Readonly<Record<string, ImageRef>>) =>
      Object.fromEntries(
        Object.entries(images).map(([name, one]) => [
          name,
          { ...one, repository: one.repository.replace(/^[^/]*\.io\//, '') },
        ]),
      );
    const unnamed = good().releases.map((release: Release) => ({
      ...release,
      images: bare(release.images),
      sidecars: bare(release.sidecars ?? {}),
    }));
    const { releases } = parse({ ...good(), releases: unnamed, registries: { Upstream: 'registry.example.com' } });
    const repositories = (distribution: string) =>
      releases
        .filter((release) => release.distribution === distribution)
        .flatMap(({ images, sidecars = {} }) => [...Object.values(images), ...Object.values(sidecars)])
        .map(({ repository }) => repository);
    expect(repositories('Upstream').filter((name) => !name.startsWith('registry.example.com/'))).toEqual([]);
    expect(repositories('Native').filter((name) => name.startsWith('registry.example.com/'))).toEqual([]);
    // Reading it again changes nothing.
    expect(parse({ ...good(), registries: { Upstream: 'registry.example.com' }, releases }).releases).toEqual(releases);
  });

  it('refuses text that is not JSON', () => {
    expect(() => parseMatrix('<html>', 'https://example.com/matrix.json')).toThrow(
      /https:\/\/example.com\/matrix.json: is no JSON/,
    );
  });
});

describe('acceptMatrix', () => {
  it('never accepts a lower serial', () => {
    const older = { ...loadEmbeddedMatrix(), serial: 4 };
    const newer = { ...loadEmbeddedMatrix(), serial: 5 };
    expect(acceptMatrix(older, newer, 'test')).toBe(newer);
    expect(() => acceptMatrix(newer, older, 'test')).toThrow(/serial 4, but 5 is already in use/);
  });
});
