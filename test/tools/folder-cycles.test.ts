import { describe, expect, it } from 'vitest';
import { folderCycles } from '../../tools/folder-cycles.mjs';

/** `a/x>b/y` is a file of packages/kube/src/a that imports one of packages/kube/src/b. */
const modules = (...imports: readonly string[]) =>
  imports.map((text) => {
    const [from = '', to = ''] = text.split('>').map((path) => `packages/kube/src/${path}.ts`);
    return { source: from, dependencies: [{ resolved: to }] };
  });

const foldersOf = (...imports: readonly string[]) =>
  folderCycles(modules(...imports)).map(({ folders }) => folders.map((folder) => folder.split('/').at(-1)));

describe('folder cycles', () => {
  it.each([
    ['none where all imports go one way', ['a/x>b/y', 'b/y>c/z', 'a/x>c/z'], []],
    ['two folders, though no file imports itself', ['a/x>b/y', 'b/z>a/w'], [['a', 'b']]],
    ['folders that reach each other around a corner', ['a/x>b/y', 'b/y>c/z', 'c/z>a/w', 'd/v>a/x'], [['a', 'b', 'c']]],
    [
      'two groups apart',
      ['a/x>b/y', 'b/z>a/w', 'c/x>d/y', 'd/z>c/w'],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['folders by their place below src, however deep', ['a/deep/x>b/y', 'b/z>a/w'], [['a', 'b']]],
    ['none by way of a file of src itself', ['a/x>shared', 'shared>a/y'], []],
    [
      'none by way of tests and their builders',
      ['a/x>b/y', 'b/y.test>a/x', 'testing/testbed>a/x', 'a/x.test>testing/testbed'],
      [],
    ],
  ])('finds %s', (_, imports, expected) => {
    expect(foldersOf(...imports)).toEqual(expected);
  });

  it('gives an example of each import of the cycle', () => {
    expect(folderCycles(modules('a/x>b/y', 'a/v>b/y', 'b/z>a/w'))[0]?.examples).toEqual([
      'packages/kube/src/a/x.ts -> packages/kube/src/b/y.ts',
      'packages/kube/src/b/z.ts -> packages/kube/src/a/w.ts',
    ]);
  });

  it('does not join folders of different packages', () => {
    const there = { source: 'packages/kube/src/a/x.ts', dependencies: [{ resolved: 'packages/base/src/a/y.ts' }] };
    const back = { source: 'packages/base/src/a/y.ts', dependencies: [{ resolved: 'packages/kube/src/a/x.ts' }] };
    expect(folderCycles([there, back])).toEqual([]);
  });
});
