import { describe, expect, it } from 'vitest';
import { vcenterRelease, vcenterVersionOf } from './product-version.ts';

describe('vcenterVersionOf', () => {
  const cases: readonly [string, string, string, string][] = [
    ['6.7 Update 3, which calls itself 6.7.0', '6.7.0', '6.7.3', '6.7.3'],
    ['7.0 Update 3', '7.0.3', '7.0.3.0', '7.0.3'],
    ['8.0 Update 3', '8.0.3', '8.0.3.0', '8.0.3'],
    ['an API of another version', '8.0.1', '7.0.3', '8.0.1'],
    ['an unreadable API version', '8.0.1', '', '8.0.1'],
  ];
  it.each(cases)('tells %s', (_name, version, apiVersion, expected) => {
    expect(vcenterVersionOf({ version, apiVersion })).toBe(expected);
  });
});

describe('vcenterRelease', () => {
  it.each([
    ['6.7.3', '6.7 Update 3'],
    ['7.0.0', '7.0'],
    ['8.0.3.00100', '8.0 Update 3'],
    ['9.0.0', '9.0'],
    ['9.0.1', '9.0.1'],
    ['unknown', 'unknown'],
  ])('calls %s %s', (version, expected) => {
    expect(vcenterRelease(version)).toBe(expected);
  });
});
