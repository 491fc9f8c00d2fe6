import { describe, expect, it } from 'vitest';
import {
  isPlaceholder,
  loadReleaseSettings,
  parseReleaseSettings,
  publishedMatrix,
  publishedRegistry,
} from './release-settings.ts';

const key =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA1bTfZZRxpmJkAGeXwAf4QYSrCFPVCdpXaTNvAf4wrGI=\n-----END PUBLIC KEY-----\n';
const published = {
  registry: 'images.acme.io:5000/vdo',
  matrixUrl: 'https://vdo.acme.io/matrix.json',
  publicKeys: [key],
  npmScope: '@acme',
  projectUrl: 'https://git.acme.io/vdo',
};

describe('release settings', () => {
  it('of this repository contain only placeholders: nobody publishes by accident', () => {
    const settings = loadReleaseSettings();
    const { registry, matrixUrl, projectUrl, publicKeys } = settings;
    expect([registry, matrixUrl, projectUrl].every(isPlaceholder)).toBe(true);
    expect(publicKeys).toEqual([]);
    expect(publishedMatrix(settings)).toEqual({ trustedKeys: [] });
  });

  it('of a publisher contain the matrix and its signer', () => {
    const settings = parseReleaseSettings(published, 'a test');
    expect(publishedMatrix(settings)).toEqual({ defaultUrl: published.matrixUrl, trustedKeys: [key] });
  });

  it('have no matrix address without a key to verify it', () => {
    expect(publishedMatrix({ ...published, publicKeys: [] })).toEqual({ trustedKeys: [] });
  });

  it.each([
    ['registry.example.com/vdo', true],
    ['registry.example.com:5000', true],
    ['https://vdo.example.org/matrix.json', true],
    ['images.vdo.invalid', true],
    ['registry.test', true],
    ['example', true],
    ['ghcr.io/acme', false],
    ['myexample.com/vdo', false],
    ['example.com.acme.io/vdo', false],
    ['https://acme.io/example.com', false],
  ])('%s is a placeholder: %s', (address, expected) => {
    expect(isPlaceholder(address)).toBe(expected);
  });

  it.each([
    ['registry', 'https://images.acme.io'],
    ['matrixUrl', 'http://vdo.acme.io/matrix.json'],
    ['publicKeys', ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n']],
    ['npmScope', 'acme'],
    ['surprise', 'x'],
  ])('with a wrong %s are refused by name', (field, value) => {
    expect(() => parseReleaseSettings({ ...published, [field]: value }, 'a test')).toThrow(
      expect.objectContaining({ code: 'ConfigInvalid', message: expect.stringContaining(field) }),
    );
  });
});

it.each([
  ['registry.example.com', undefined],
  ['registry.test/vdo', undefined],
  ['localhost', 'localhost'],
  ['mirror.acme.io:5000/vdo', 'mirror.acme.io:5000/vdo'],
])('images are in %s only if somebody can publish there', (registry, expected) => {
  expect(publishedRegistry({ registry })).toBe(expected);
});

it.each([
  ['registry.example.com', undefined],
  ['', undefined],
  ['registry.corp.test', 'registry.corp.test'],
  ['localhost', 'localhost'],
])('images are where the operator was told, %j, unless that stands for a name', (reported, expected) => {
  expect(publishedRegistry({ registry: 'registry.example.com' }, reported)).toBe(expected);
});
