import { expect, test } from 'vitest';
import { isAtLeast } from './resource-version.ts';

test.each([
  ['10', '9', true],
  ['9', '10', false],
  ['10', '10', true],
  ['0', '0', true],
  ['100000000000000000000000', '99999999999999999999999', true],
  ['99999999999999999999999', '100000000000000000000000', false],
])('version %s is at least %s: %s', (a, b, expected) => expect(isAtLeast(a, b)).toBe(expected));

test.each(['', 'abc', '1.5', '-1', '007', ' 1'])('"%s" cannot be compared', (version) => {
  expect(() => isAtLeast(version, '1')).toThrow(`"${version}" is not an integer`);
  expect(() => isAtLeast('1', version)).toThrow('is not an integer');
});
