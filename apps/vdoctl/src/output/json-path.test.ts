import { describe, expect, it } from 'vitest';
import { parseJsonPath } from './json-path.ts';

const document = {
  kind: 'List',
  items: [
    { name: 'a', size: 1, labels: { 'example.com/zone': 'z1' }, conditions: [{ type: 'Ready', status: 'True' }] },
    { name: 'b', size: 20, labels: { 'example.com/zone': 'z2' }, conditions: [{ type: 'Ready', status: 'False' }] },
    { name: 'c', size: 3, on: true },
  ],
};

describe('a JSONPath template', () => {
  it.each([
    ['{.kind}', 'List'],
    ['.kind', 'List'],
    ['{$.kind}', 'List'],
    ['kind is {.kind}.', 'kind is List.'],
    ['{.items[*].name}', 'a b c'],
    ['{.items[0].name}', 'a'],
    ['{.items[-1].name}', 'c'],
    ['{.items[0:2].name}', 'a b'],
    ['{.items[0,2].name}', 'a c'],
    ["{.items[0]['name','size']}", 'a 1'],
    ['{.items[?(@.size>2)].name}', 'b c'],
    ['{.items[?(@.name=="b")].size}', '20'],
    ['{.items[?(@.name != "b")].size}', '1 3'],
    ['{.items[?(@.on)].name}', 'c'],
    ['{.items[?(@.on==true)].name}', 'c'],
    ['{.items[*].conditions[?(@.type=="Ready")].status}', 'True False'],
    ["{.items[0].labels['example.com/zone']}", 'z1'],
    ['{.items[0].labels.example\\.com/zone}', 'z1'],
    ['{range .items[*]}{.name}{"\\t"}{.size}{"\\n"}{end}', 'a\t1\nb\t20\nc\t3\n'],
    ['{range .items[*]}{@.name},{end}', 'a,b,c,'],
    ['{..status}', 'True False'],
    ['{.items[2]}', '{"name":"c","size":3,"on":true}'],
    ['{.missing.field}', ''],
    ['{.items[7].name}', ''],
  ])('%s', (template, expected) => {
    expect(parseJsonPath(template)(document)).toBe(expected);
  });

  it.each([
    ['{.items[0}', '] is missing at character 10'],
    ['{.items', '} is missing at character 8'],
    ['{range .items[*]}{.name}', '{range} without {end}'],
    ['{.name}{end}', '{end} without {range}'],
    ['{.items[x]}', 'x is not an integer'],
    ['{.items[?(@.size>)]}', 'a value is missing'],
    ['{.items[]}', 'an index is missing'],
  ])('refuses %s', (template, why) => {
    expect(() => parseJsonPath(template)).toThrow(why);
  });

  it('finds the objects of a list that is no document of Kubernetes', () => {
    expect(parseJsonPath('{.items[*].name}')(document.items)).toBe('a b c');
    expect(parseJsonPath('{[1].name}')(document.items)).toBe('b');
  });

  it('sees no more of an object than its own fields', () => {
    expect(parseJsonPath('{.constructor}{.items.length}{.kind.length}')(document)).toBe('');
  });
});
