import { describe, expect, it } from 'vitest';
import { debianMirror } from '../../tools/image/debian-mirror.ts';

const apt = ['https://mirror.example/debian-security/', 'https://mirror.example/debian/', ''].join('\n');

describe('where packages of Debian come from', () => {
  it('is what apt was set up with', () => {
    expect(debianMirror({ env: {}, targets: () => apt })).toBe('https://mirror.example');
  });

  it('is DEBIAN_MIRROR, if that is set', () => {
    expect(debianMirror({ env: { DEBIAN_MIRROR: 'https://other.example/' }, targets: () => apt })).toBe(
      'https://other.example',
    );
  });

  it('has to be said where there is no apt', () => {
    expect(() => debianMirror({ env: {}, targets: () => '' })).toThrow('Set DEBIAN_MIRROR');
  });
});
