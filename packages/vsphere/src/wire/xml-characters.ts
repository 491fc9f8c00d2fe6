// The character rules of XML 1.0, fifth edition: https://www.w3.org/TR/xml/#charsets

const start =
  ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}\\u{2070}-\\u{218F}' +
  '\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const wholeName = new RegExp(`^[${start}][${start}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}]*$`, 'u');

const asciiTable = (characters: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => (characters.test(String.fromCharCode(code)) ? 1 : 0));
const nameTable = asciiTable(/[:A-Za-z_\-.0-9]/);
const nameStartTable = asciiTable(/[:A-Za-z_]/);

export const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 9;

/** False ends a name. Beyond ASCII `isName` decides. */
export const isNameCode = (code: number): boolean => code > 127 || nameTable[code] === 1;
export const isNameStartCode = (code: number): boolean => code > 127 || nameStartTable[code] === 1;
export const isName = (text: string): boolean => wholeName.test(text);

/** Line ends in XML are normalized to `\n`. `afterReturn`: the text before this one ended with `\r`. */
export const normalizeLineEnds = (text: string, afterReturn: boolean): string => {
  const rest = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
  return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
};

export const lastCharacter = 0xfffd;

/**
 * Throws if one of these characters is not allowed in XML; returns false if there are references among them. Surrogates are
 * checked by the UTF-8 decoder.
 */
export const isPlainText = (text: string, from: number, to: number): boolean => {
  let plain = true;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === 38) plain = false;
    if (code < 32 ? code !== 10 && code !== 9 : code > lastCharacter)
      throw new Error('there is a character that XML does not allow');
  }
  return plain;
};

const isCharacter = (code: number): boolean =>
  code < 32
    ? code === 9 || code === 10 || code === 13
    : code < 0xd800 || (code > 0xdfff && code !== 0xfffe && code !== 0xffff && code <= 0x10ffff);

const named = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['apos', "'"],
  ['quot', '"'],
]);

const resolve = (name: string): string => {
  const known = named.get(name);
  if (known !== undefined) return known;
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name) ?? [];
  const code = hexadecimal === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hexadecimal, 16);
  if (Number.isNaN(code)) throw new Error('there is a reference to something undefined');
  if (!isCharacter(code)) throw new Error('a reference names a character that XML does not allow');
  return String.fromCodePoint(code);
};

/** Replaces the five entities of XML and numeric references; there are no others in SOAP. */
export const resolveReferences = (text: string): string =>
  text.replace(/&([^&;]{0,32})(;?)/g, (_match, name: string, end: string) => {
    if (end === '') throw new Error('a & starts no reference');
    return resolve(name);
  });

const internedNames = 512;
const maxInterned = 64;

/** The few names of a schema are repeated often: one string for each saves copies and hash computations. */
export const createInterner = () => {
  const interned: string[] = new Array<string>(internedNames).fill('');
  return (text: string, from: number, to: number, hash: number): string => {
    if (to - from > maxInterned) return text.slice(from, to);
    const slot = (hash >>> 0) % internedNames;
    const known = interned[slot] ?? '';
    if (known.length === to - from && text.startsWith(known, from)) return known;
    const fresh = text.slice(from, to);
    interned[slot] = fresh;
    return fresh;
  };
};

const knownTexts = 1024;
const maxKnownText = 48;

/** Keys, types and states are repeated, too: one string for each saves most of the work of the garbage collector. */
export const createTextCache = () => {
  const texts: string[] = new Array<string>(knownTexts).fill('');
  const hashes = new Int32Array(knownTexts);
  return (text: string, from: number, to: number, hash: number): string => {
    if (to - from > maxKnownText) return text.slice(from, to);
    const slot = (hash ^ (hash >>> 15)) & (knownTexts - 1);
    const known = texts[slot] ?? '';
    if (hashes[slot] === hash && known.length === to - from && text.startsWith(known, from)) return known;
    const fresh = text.slice(from, to);
    texts[slot] = fresh;
    hashes[slot] = hash;
    return fresh;
  };
};
