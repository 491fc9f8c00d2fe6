import { describe, expect, it } from 'vitest';
import { before, shortened, withoutTrailing } from './cut-text.ts';

describe('cutting text', () => {
  it.each([
    ['https://ds//', '/', 'https://ds'],
    ['secret\r\n\n', '\r\n', 'secret'],
    ['', '/', ''],
    ['///', '/', ''],
    ['a/b', '/', 'a/b'],
  ])('leaves out what ends %j', (text, characters, expected) => {
    expect(withoutTrailing(text, characters)).toBe(expected);
  });

  it.each([
    ['1.34.2-eks+3', ['+', '-'], '1.34.2'],
    ['fe80::1%eth0', ['%'], 'fe80::1'],
    ['nas:/export', [':/'], 'nas'],
    ['plain', ['+'], 'plain'],
  ])('keeps of %j what is before a mark', (text, marks, expected) => {
    expect(before(text, ...marks)).toBe(expected);
  });

  it('leaves out the middle of a text that is too long, and reports how much', () => {
    expect(shortened('abcdefghij', 10)).toBe('abcdefghij');
    expect(shortened(`${'a'.repeat(50)}${'b'.repeat(50)}`, 10)).toBe('aaaaa… (90 characters omitted) …bbbbb');
  });

  it('takes time in proportion to the length of the text', () => {
    expect(withoutTrailing(`${'/'.repeat(1_000_000)}x`, '/')).toHaveLength(1_000_001);
  });
});
