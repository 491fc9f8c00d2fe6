import { describe, expect, it } from 'vitest';
import { imageReference } from './image-reference.ts';

describe('imageReference', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const cases: readonly [string, Parameters<typeof imageReference>, string][] = [
    ['joins path and tag', [{ repository: 'vdo/vdo', tag: '1.0.0' }], 'vdo/vdo:1.0.0'],
    ['prefers the digest', [{ repository: 'vdo/vdo', tag: '1.0.0', digest }], `vdo/vdo@${digest}`],
    [
      'puts the mirror in front',
      [{ repository: 'vdo/vdo', tag: '1' }, 'mirror.example.com'],
      'mirror.example.com/vdo/vdo:1',
    ],
    [
      'replaces a registry host',
      [{ repository: 'registry.example.com/vdo/vdo', tag: '1' }, 'mirror.example.com/x'],
      'mirror.example.com/x/vdo/vdo:1',
    ],
    [
      'replaces a registry host with a port',
      [{ repository: 'localhost:5000/vdo', tag: '1' }, 'mirror'],
      'mirror/vdo:1',
    ],
    [
      'keeps a registry host without a mirror',
      [{ repository: 'registry.example.com/vdo', tag: '1' }],
      'registry.example.com/vdo:1',
    ],
    ['takes a single name for no host', [{ repository: 'vdo', tag: '1' }, 'mirror'], 'mirror/vdo:1'],
  ];
  it.each(cases)('%s', (_name, args, expected) => {
    expect(imageReference(...args)).toBe(expected);
  });
});
