import { describe, expect, it } from 'vitest';
import { createUtf8Decoder } from './utf8.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

const decodeAll = (chunks: readonly Uint8Array[]): string => {
  const decoder = createUtf8Decoder();
  const text = chunks.map((chunk) => decoder.decode(chunk)).join('');
  decoder.end();
  return text;
};

describe('UTF-8 in chunks', () => {
  it('is the same text wherever it is cut', () => {
    const text = 'plain, größe, 漢字, 😀 and plain again';
    const bytes = bytesOf(text);
    expect(decodeAll([...bytes].map((byte) => Uint8Array.of(byte)))).toBe(text);
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(decodeAll([bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(text);
  });

  it('may start with a byte order mark, which is no text', () => {
    expect(decodeAll([bytesOf('\ufeff<a/>')])).toBe('<a/>');
    expect(decodeAll([...bytesOf('\ufeff<a/>')].map((byte) => Uint8Array.of(byte)))).toBe('<a/>');
    expect(decodeAll([bytesOf('<a>'), bytesOf('\ufeff')])).toBe('<a>\ufeff');
  });

  it.each([
    ['a character that is cut off', [0x61, 0xe6, 0xbc]],
    ['a byte that starts nothing', [0x61, 0x80, 0x61]],
    ['a character written too long', [0xc0, 0xaf]],
    ['half of a pair', [0xed, 0xa0, 0x80]],
    ['a byte that never occurs', [0xff]],
  ])('refuses %s', (_name, bytes) => {
    expect(() => decodeAll([Uint8Array.from(bytes)])).toThrow(TypeError);
    expect(() => decodeAll(bytes.map((byte) => Uint8Array.of(byte)))).toThrow(TypeError);
  });
});
