import { describe, expect, it } from 'vitest';
import { pageOf } from './page.ts';

const page = (startingToken: string, maxEntries: number, entries = ['c', 'a', 'd', 'b']) =>
  pageOf(entries, (entry) => entry, { startingToken, maxEntries, isKey: (token) => /^[a-z]$/.test(token) });

describe('a list', () => {
  it('comes whole without a limit, in order', () => {
    expect(page('', 0)).toEqual({ entries: ['a', 'b', 'c', 'd'], nextToken: '' });
  });

  it('comes in pages', () => {
    expect(page('', 3)).toEqual({ entries: ['a', 'b', 'c'], nextToken: 'c' });
    expect(page('c', 3)).toEqual({ entries: ['d'], nextToken: '' });
  });

  it('goes on where it stopped though the entry there is gone', () => {
    expect(page('b', 1, ['a', 'c', 'd'])).toEqual({ entries: ['c'], nextToken: 'c' });
  });

  it.each([
    ['a token it never gave', '17!', 0, 'ListTokenInvalid'],
    ['a negative limit', '', -1, 'InvalidArgument'],
  ])('refuses %s', (_name, token, limit, code) => {
    expect(() => page(token, limit)).toThrow(expect.objectContaining({ code }));
  });
});
