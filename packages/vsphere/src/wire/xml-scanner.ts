import {
  createInterner,
  createTextCache,
  isBlank,
  isName,
  isNameCode,
  isNameStartCode,
  isPlainText,
  lastCharacter,
  normalizeLineEnds,
  resolveReferences,
} from './xml-characters.ts';
import { codesOf, createTagCache, isAt, type KnownTag, type TagCache } from './xml-tags.ts';

export interface XmlAttribute {
  readonly name: string;
  readonly value: string;
}

/** Callbacks for the content of the document, in document order. */
export interface XmlHandlers<T> {
  /** The meaning of a start tag. Called only once for identical tags. */
  tag(name: string, attributes: readonly XmlAttribute[]): T;
  open(tag: T): void;
  close(): void;
  /** A part of the text of the open element; long texts are passed in several parts. */
  text(piece: string): void;
  /** Called with the first characters after `<!DOCTYPE`. Must throw. */
  doctype(start: string): never;
}

/** Parses the subset of XML 1.0 that SOAP allows, chunk by chunk. Throws an Error if the text is not well-formed. */
export interface XmlScanner {
  write(text: string): void;
  /** Throws if the document is incomplete. */
  end(): void;
}

/** Maximum length of a tag; real tags are much shorter. Without a limit, a tag that never ends would be scanned again with each chunk. */
const maxMarkup = 64 * 1024;
/** Longer tags are rare and are not cached. */
const maxKnownTag = 256;
/** Long texts are read in parts of this size. */
const maxPiece = 64 * 1024;
const maxReference = 34;
/** Texts are shared in documents whose chunks have at least this size, because texts repeat there. */
const largeDocument = 8 * 1024;
const declaration =
  /^\s+version\s*=\s*(["'])1\.\d+\1(\s+encoding\s*=\s*(["'])[A-Za-z][\w.-]*\3)?(\s+standalone\s*=\s*(["'])(yes|no)\5)?\s*$/;

/** The ends of a comment, an instruction and a CDATA section. */
const endings = ['', '--', '?>', ']]>'];
const inside = { markup: 0, comment: 1, instruction: 2, cdata: 3 } as const;
const blank = 32;
const exclamation = 33;
const ampersand = 38;
const slash = 47;
const less = 60;
const equals = 61;
const greater = 62;
const question = 63;
const bracket = 93;

/**
 * Creates a scanner for one document. Replies have megabytes, so each character is read once and copied at most once. Most documents are
 * small, and scanners whose handlers treat tags in the same way can share the cache of tags.
 */
export const createXmlScanner = <T>(handlers: XmlHandlers<T>, known: TagCache<T> = createTagCache<T>()): XmlScanner => {
  let buffer = '';
  /** The character codes of the buffer, because numbers are faster to read than strings. */
  let codes = new Uint16Array(0);
  let length = 0;
  let at = 0;
  let state: number = inside.markup;
  let started = false;
  let rootClosed = false;
  let afterReturn = false;
  let depth = 0;
  let nameEnd = 0;
  const openTags: KnownTag<T>[] = [];
  let attributes: XmlAttribute[] = [];
  let names: ReturnType<typeof createInterner> | undefined;
  const intern: ReturnType<typeof createInterner> = (...read) => {
    names ??= createInterner();
    return names(...read);
  };
  /** Not useful for a small document. */
  let texts: ReturnType<typeof createTextCache> | undefined;

  const skipBlanks = (from: number): number => {
    let i = from;
    while (i < buffer.length && isBlank(buffer.charCodeAt(i))) i++;
    return i;
  };

  /** Reads up to `nameEnd`; if that is the end of the buffer, the name may continue. */
  const readName = (from: number): string => {
    let hash = 0;
    let ascii = true;
    let i = from;
    for (; i < buffer.length; i++) {
      const code = buffer.charCodeAt(i);
      if (!isNameCode(code)) break;
      if (code > 127) ascii = false;
      hash = (hash * 31 + code) | 0;
    }
    nameEnd = i;
    if (i < buffer.length && (i === from || !isNameStartCode(buffer.charCodeAt(from))))
      throw new Error('a name was expected');
    const name = intern(buffer, from, i, hash);
    if (!ascii && !isName(name)) throw new Error('a name holds a character that is not allowed there');
    return name;
  };

  const readValue = (from: number, to: number): string => {
    let hash = 0;
    let plain = true;
    for (let i = from; i < to; i++) {
      const code = buffer.charCodeAt(i);
      if (code === less) throw new Error('an attribute holds a <');
      if (code === ampersand || code < blank || code > lastCharacter) plain = false;
      hash = (hash * 31 + code) | 0;
    }
    if (plain) return intern(buffer, from, to, hash);
    isPlainText(buffer, from, to);
    return resolveReferences(buffer.slice(from, to).replace(/[\t\n]/g, ' '));
  };

  const addAttribute = (name: string, value: string): void => {
    if (attributes.some((other) => other.name === name))
      throw new Error(`the attribute ${name.slice(0, 40)} is given twice`);
    attributes.push({ name, value });
  };

  /** Reads the attribute at `from`; returns where it ends, or -1 if the buffer ends first. */
  const readAttribute = (from: number): number => {
    const name = readName(from);
    const sign = skipBlanks(nameEnd);
    if (sign >= buffer.length) return -1;
    if (buffer.charCodeAt(sign) !== equals) throw new Error('an attribute has no value');
    const open = skipBlanks(sign + 1);
    if (open >= buffer.length) return -1;
    const quote = buffer.charAt(open);
    if (quote !== '"' && quote !== "'") throw new Error('the value of an attribute has no quotes');
    const close = buffer.indexOf(quote, open + 1);
    if (close < 0) return -1;
    addAttribute(name, readValue(open + 1, close));
    return close + 1;
  };

  const closeElement = (): void => {
    depth--;
    rootClosed = depth === 0;
    handlers.close();
  };

  const openElement = (tag: KnownTag<T>): void => {
    if (rootClosed) throw new Error('there is a second root element');
    openTags[depth++] = tag;
    handlers.open(tag.value);
    if (tag.empty) closeElement();
  };

  /** The position of the first `>` after the tag that starts at `at`, and a hash of the text before it; 0 if it is far away. */
  let tagHash = 0;
  const firstTagEnd = (): number => {
    const limit = Math.min(length, at + maxKnownTag);
    let hash = 0;
    for (let i = at + 1; i < limit; i++) {
      const code = codes[i] as number;
      if (code === greater) {
        tagHash = hash ^ (hash >>> 15);
        return i + 1;
      }
      hash = (Math.imul(hash, 31) + code) | 0;
    }
    return 0;
  };

  // The functions that read markup return false, and do not change `at`, if the buffer ends before the markup.
  const readTagEnd = (name: string, from: number): boolean => {
    const empty = buffer.charCodeAt(from) === slash;
    const last = empty ? from + 1 : from;
    if (last >= buffer.length) return false;
    if (buffer.charCodeAt(last) !== greater) throw new Error('there is a / inside a tag');
    const read = codes.slice(at, last + 1);
    const value = handlers.tag(name, attributes);
    const tag: KnownTag<T> = { codes: read, name, ending: codesOf(`</${name}>`), empty, value };
    // A tag with a > in an attribute would not be found by its first >.
    if (firstTagEnd() === last + 1) known.put(tagHash, tag);
    at = last + 1;
    openElement(tag);
    return true;
  };

  const readNewTag = (): boolean => {
    const name = readName(at + 1);
    attributes = [];
    let end = nameEnd;
    while (end >= 0) {
      const next = skipBlanks(end);
      if (next >= buffer.length) return false;
      const code = buffer.charCodeAt(next);
      if (code === greater || code === slash) return readTagEnd(name, next);
      if (next === end) throw new Error('a blank was expected in a tag');
      end = readAttribute(next);
    }
    return false;
  };

  const readStartTag = (): boolean => {
    const end = firstTagEnd();
    const tag = end > 0 ? known.find(codes, at, end, tagHash) : undefined;
    if (!tag) return readNewTag();
    at = end;
    openElement(tag);
    return true;
  };

  const readEndTag = (): boolean => {
    const tag = openTags[depth - 1];
    if (!tag || depth === 0 || at + tag.ending.length > length || !isAt(codes, at, tag.ending))
      return readOddEndTag(depth > 0 && tag ? tag.name : '');
    at += tag.ending.length;
    closeElement();
    return true;
  };

  /** An end tag that contains blanks, is split over two chunks, or is wrong. */
  const readOddEndTag = (name: string): boolean => {
    const from = at + 2;
    if (depth === 0 || !buffer.startsWith(name, from)) {
      if (depth > 0 && name.startsWith(buffer.slice(from))) return false;
      throw new Error(`the end tag of ${depth === 0 ? 'nothing' : name.slice(0, 40)} was expected`);
    }
    const last = skipBlanks(from + name.length);
    if (last >= buffer.length) return false;
    if (buffer.charCodeAt(last) !== greater) throw new Error(`the end tag of ${name.slice(0, 40)} was expected`);
    at = last + 1;
    closeElement();
    return true;
  };

  const readDeclaration = (): boolean => {
    const start = buffer.slice(at, at + 9);
    if (start.startsWith('<!--')) {
      at += 4;
      state = inside.comment;
    } else if (start === '<![CDATA[' && depth > 0) {
      at += 9;
      state = inside.cdata;
    } else if (start.toUpperCase() === '<!DOCTYPE') {
      if (buffer.length < at + 32 && buffer.indexOf('>', at) < 0) return false;
      handlers.doctype(buffer.slice(at + 9, at + 32));
    } else {
      const unfinished = (known: string) => start.length < known.length && known.startsWith(start.toUpperCase());
      if (['<!--', '<![CDATA[', '<!DOCTYPE'].some(unfinished)) return false;
      throw new Error('a declaration is not allowed here');
    }
    return true;
  };

  const readInstruction = (): boolean => {
    const name = readName(at + 2);
    if (nameEnd >= buffer.length) return false;
    if (name.toLowerCase() === 'xml') {
      const last = buffer.indexOf('?>', nameEnd);
      if (last < 0) return false;
      if (started || name !== 'xml' || !declaration.test(buffer.slice(nameEnd, last)))
        throw new Error('an XML declaration is wrong, or not at the beginning');
      at = last + 2;
      return true;
    }
    const code = buffer.charCodeAt(nameEnd);
    if (!isBlank(code) && code !== question) throw new Error('a blank was expected in an instruction');
    at = nameEnd;
    state = inside.instruction;
    return true;
  };

  const readMarkup = (): boolean => {
    if (at + 1 >= buffer.length) return false;
    const code = buffer.charCodeAt(at + 1);
    if (code === slash) return readEndTag();
    if (code === exclamation) return readDeclaration();
    return code === question ? readInstruction() : readStartTag();
  };

  /** Scans the text up to the next tag and sets `textEnd` to its position. False if there are references in the text. */
  let textEnd = 0;
  let textHash = 0;
  const scanText = (): boolean => {
    let plain = true;
    let hash = 0;
    let i = at;
    for (; i < length; i++) {
      const code = codes[i] as number;
      if (code === less) break;
      hash = (Math.imul(hash, 31) + code) | 0;
      if (code === ampersand) plain = false;
      else if (code < blank ? code !== 10 && code !== 9 : code > lastCharacter)
        throw new Error('there is a character that XML does not allow');
      else if (code === greater && i - at > 1 && codes[i - 1] === bracket && codes[i - 2] === bracket && depth > 0)
        throw new Error('there is a ]]> in text');
    }
    textEnd = i;
    textHash = hash;
    return plain;
  };

  const emitText = (to: number, plain: boolean): void => {
    if (to <= at) return;
    started = true;
    const piece = texts && to === textEnd ? texts(buffer, at, to, textHash) : buffer.slice(at, to);
    if (depth === 0) {
      if (/[^ \t\n]/.test(piece)) throw new Error('there is text outside of the root element');
    } else {
      handlers.text(plain ? piece : resolveReferences(piece));
    }
    at = to;
  };

  /** How much of an incomplete text can be passed on: not a part of a reference or of a possible `]]>`. */
  const safeEnd = (): number => {
    const reference = buffer.lastIndexOf('&');
    if (reference >= at && length - reference <= maxReference && buffer.indexOf(';', reference) < 0) return reference;
    let end = length;
    while (end > at && length - end < 2 && buffer.charCodeAt(end - 1) === bracket) end--;
    return end;
  };

  /** Skips to the end of a comment, instruction or CDATA section; false if that is not in the buffer. */
  const leave = (): boolean => {
    const ending = endings[state] ?? '';
    const found = buffer.indexOf(ending, at);
    const to = found < 0 ? Math.max(at, buffer.length - ending.length + 1) : found;
    isPlainText(buffer, at, to);
    if (state === inside.cdata && to > at) handlers.text(buffer.slice(at, to));
    at = to;
    if (found < 0) return false;
    if (state === inside.comment) {
      if (found + 2 >= buffer.length) return false;
      if (buffer.charCodeAt(found + 2) !== greater) throw new Error('there is a -- in a comment');
    }
    at += state === inside.instruction ? 2 : 3;
    state = inside.markup;
    return true;
  };

  /** Reads one text with the markup after it; false if the buffer ends first. */
  const step = (): boolean => {
    if (state !== inside.markup) return leave();
    const plain = scanText();
    const atTag = textEnd < length;
    emitText(atTag ? textEnd : safeEnd(), plain);
    const read = atTag && readMarkup();
    if (read) started = true;
    return read;
  };

  const feed = (text: string): void => {
    buffer = at < buffer.length ? buffer.slice(at) + text : text;
    at = 0;
    length = buffer.length;
    if (length > largeDocument) texts ??= createTextCache();
    if (codes.length < length) codes = new Uint16Array(length + (length >> 1));
    Buffer.from(codes.buffer).write(buffer, 'utf16le');
    while (step());
    if (buffer.length - at > maxMarkup) throw new Error(`a tag is longer than ${maxMarkup} characters`);
  };

  return {
    write: (text) => {
      const lines = normalizeLineEnds(text, afterReturn);
      if (lines.length <= maxPiece) feed(lines);
      else for (const piece of piecesOf(lines)) feed(piece);
      afterReturn = text === '' ? afterReturn : text.endsWith('\r');
    },
    end: () => {
      if (at < buffer.length || state !== inside.markup || depth > 0) throw new Error('the document is not complete');
    },
  };
};

/** Chunks that do not split a surrogate pair. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const cut = from + maxPiece;
    const to = (text.charCodeAt(cut - 1) & 0xfc00) === 0xd800 ? cut - 1 : cut;
    yield text.slice(from, to);
    from = to;
  }
}
