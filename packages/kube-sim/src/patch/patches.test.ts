import { describe, expect, test } from 'vitest';
import { builtinObjectType } from '../apply/builtin-merge-types.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { strategicPatch } from './strategic-patch.ts';

describe('JSON patch', () => {
  const document = { a: { b: [1, 2, 3] }, 'x/y': { '~z': 1 } };
  test.each([
    ['adds a field', [{ op: 'add', path: '/a/c', value: 4 }], { ...document, a: { b: [1, 2, 3], c: 4 } }],
    ['inserts into a list', [{ op: 'add', path: '/a/b/1', value: 9 }], { ...document, a: { b: [1, 9, 2, 3] } }],
    ['appends to a list', [{ op: 'add', path: '/a/b/-', value: 9 }], { ...document, a: { b: [1, 2, 3, 9] } }],
    ['replaces', [{ op: 'replace', path: '/a/b/0', value: 9 }], { ...document, a: { b: [9, 2, 3] } }],
    ['removes', [{ op: 'remove', path: '/a/b/0' }], { ...document, a: { b: [2, 3] } }],
    ['unescapes pointers', [{ op: 'replace', path: '/x~1y/~0z', value: 2 }], { ...document, 'x/y': { '~z': 2 } }],
    ['moves', [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, 'x/y': { '~z': 1 }, c: [1, 2, 3] }],
    ['copies', [{ op: 'copy', from: '/a/b/2', path: '/c' }], { ...document, c: 3 }],
    ['passes a test that holds', [{ op: 'test', path: '/a/b', value: [1, 2, 3] }], document],
  ])('%s', (_, operations, expected) => {
    expect(jsonPatch(document, operations)).toEqual(expected);
  });

  test.each([
    ['a test that does not hold', [{ op: 'test', path: '/a/b/0', value: 2 }], 422],
    ['a removal of nothing', [{ op: 'remove', path: '/nope' }], 422],
    ['a replacement of nothing', [{ op: 'replace', path: '/nope', value: 1 }], 422],
    ['an index beyond the list', [{ op: 'add', path: '/a/b/7', value: 1 }], 422],
    ['an unknown operation', [{ op: 'guess', path: '/a' }], 400],
    ['a body that is no list', { op: 'add' }, 400],
  ])('refuses %s', (_, operations, code) => {
    expect(() => jsonPatch(document, operations)).toThrow(
      expect.objectContaining({ reply: expect.objectContaining({ code }) }),
    );
  });
});

test('a merge patch merges objects, replaces lists and removes with null', () => {
  expect(mergePatch({ a: { b: 1, c: 2 }, l: [1] }, { a: { b: null, d: 3 }, l: [2] })).toEqual({
    a: { c: 2, d: 3 },
    l: [2],
  });
});

describe('strategic patch', () => {
  const pod = (containers: readonly object[], rest: object = {}) => ({ spec: { containers, ...rest } });
  const live = pod([
    { name: 'a', image: '1', env: [{ name: 'X', value: '1' }] },
    { name: 'b', image: '1' },
  ]);
  const patched = (patch: object) => strategicPatch(live, patch, builtinObjectType);

  test.each([
    [
      'merges list items by key',
      pod([{ name: 'b', image: '2' }]),
      pod([
        { name: 'a', image: '1', env: [{ name: 'X', value: '1' }] },
        { name: 'b', image: '2' },
      ]),
    ],
    ['deletes a list item', pod([{ name: 'a', $patch: 'delete' }]), pod([{ name: 'b', image: '1' }])],
    ['replaces a list', pod([{ $patch: 'replace' }, { name: 'c', image: '3' }]), pod([{ name: 'c', image: '3' }])],
    [
      'replaces a list without keys',
      { spec: { tolerations: [{ key: 'k' }] } },
      pod(live.spec.containers, { tolerations: [{ key: 'k' }] }),
    ],
    ['removes by null', { spec: { containers: null } }, { spec: {} }],
    [
      'orders items as told',
      {
        spec: {
          '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
          containers: [{ name: 'a', image: '2' }],
        },
      },
      pod([
        { name: 'b', image: '1' },
        { name: 'a', image: '2', env: [{ name: 'X', value: '1' }] },
      ]),
    ],
  ])('%s', (_, patch, expected) => {
    expect(patched(patch)).toEqual(expected);
  });

  test('keeps only the named fields of a union', () => {
    const volumes = { spec: { volumes: [{ name: 'v', emptyDir: {} }] } };
    const patch = { spec: { volumes: [{ $retainKeys: ['name', 'hostPath'], name: 'v', hostPath: { path: '/x' } }] } };
    expect(strategicPatch(volumes, patch, builtinObjectType)).toEqual({
      spec: { volumes: [{ name: 'v', hostPath: { path: '/x' } }] },
    });
  });

  test('removes values from a set', () => {
    const object = { metadata: { finalizers: ['a', 'b'] } };
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } };
    expect(strategicPatch(object, patch, builtinObjectType)).toEqual({ metadata: { finalizers: ['b'] } });
  });
});
