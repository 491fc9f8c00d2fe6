import { createSeededRandom, type Random } from '@vdo/base/random';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { createXmlScanner } from './xml-scanner.ts';

/** What a parser told, as one text; neighbouring pieces of text are one. Undefined if it refused the document. */
type Outcome = string | undefined;

const notes = () => {
  const reported: string[] = [];
  let text = '';
  const note = (what: string): void => {
    if (text !== '') reported.push(JSON.stringify(text));
    text = '';
    if (what !== '') reported.push(what);
  };
  return {
    note,
    text: (piece: string): void => {
      text += piece;
    },
    reported: (): string => {
      note('');
      return reported.join(' ');
    },
  };
};

const refuse = (): never => {
  throw new Error('a DOCTYPE');
};

const scan = (pieces: readonly string[]): string => {
  const { note, text, reported } = notes();
  const scanner = createXmlScanner({
    tag: (name, attributes) => [
      ...attributes.map((attribute) => `${attribute.name}=${JSON.stringify(attribute.value)}`),
      `<${name}>`,
    ],
    open: (lines) => {
      for (const line of lines) note(line);
    },
    close: () => note('</>'),
    text,
    doctype: refuse,
  });
  for (const piece of pieces) scanner.write(piece);
  scanner.end();
  return reported();
};

const withSaxes = (xml: string): string => {
  const { note, text, reported } = notes();
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  const inRoot = (piece: string) => (depth > 0 ? text(piece) : undefined);
  parser.on('attribute', ({ name, value }) => note(`${name}=${JSON.stringify(value)}`));
  parser.on('opentag', ({ name }) => {
    depth++;
    note(`<${name}>`);
  });
  parser.on('closetag', () => {
    depth--;
    note('</>');
  });
  parser.on('text', inRoot);
  parser.on('cdata', inRoot);
  parser.on('doctype', refuse);
  parser.write(xml).close();
  return reported();
};

const attempt = (run: () => string): Outcome => {
  try {
    return run();
  } catch {
    return undefined;
  }
};

const declared = '<?xml version="1.0" encoding="UTF-8"?>';

describe('the scanner tells', () => {
  it.each([
    [
      'elements, attributes and text',
      `${declared}\n<a b="1" c='2'>x<d/>y</a>\n`,
      'b="1" c="2" <a> "x" <d> </> "y" </>',
    ],
    ['references', '<a b="&lt;&#10;">&amp;&#65;&#x1F600;&quot;&apos;&gt;</a>', 'b="<\\n" <a> "&A😀\\"\'>" </>'],
    ['CDATA as text', '<a>1<![CDATA[<&]]]]><![CDATA[>]]>2</a>', '<a> "1<&]]>2" </>'],
    ['no comments and instructions', '<!-- - --><a><?go on?>1<!---->2</a><?x?>', '<a> "12" </>'],
    ['blanks of all kinds in tags', '<a\n\tb = "1"\n></a\n>', 'b="1" <a> </>'],
    ['blanks in attributes as blanks', '<a b="1\n2\t3\r\n4"/>', 'b="1 2 3 4" <a> </>'],
    ['every line end as a newline', '<a>1\r\n2\r3\n4\r</a>', '<a> "1\\n2\\n3\\n4\\n" </>'],
    ['names beyond ASCII', '<größe ä="1"/>', 'ä="1" <größe> </>'],
    ['brackets in text', '<a>]]] ]] > ]</a>', '<a> "]]] ]] > ]" </>'],
  ])('%s, in one piece or in many', (_name, xml, expected) => {
    expect(scan([xml])).toBe(expected);
    expect(scan([...xml])).toBe(expected);
  });

  it('tags that are written alike, and those that only look so, in more kinds than it remembers', () => {
    const row = (i: number) => `<r${i}><a b="${i % 7}>"/><a b="${i % 7}"/><a b="x"></a >${i % 5}</r${i}>`;
    const xml = `<all>${Array.from({ length: 6000 }, (_, i) => row(i % 3000)).join('')}</all>`;
    const reported = scan([xml]);
    expect(reported).toBe(withSaxes(xml));
    const cuts = Array.from({ length: Math.ceil(xml.length / 777) }, (_, i) => xml.slice(i * 777, (i + 1) * 777));
    expect(scan(cuts)).toBe(reported);
  });

  it('characters of two halves, wherever a long text is parted', () => {
    const text = `x${'😀'.repeat(100_000)}`;
    expect(scan([`<a>${text}</a>`])).toBe(`<a> ${JSON.stringify(text)} </>`);
  });

  it('a long text in pieces, without keeping it', () => {
    const lengths: number[] = [];
    const ignore = () => {};
    const text = (piece: string) => lengths.push(piece.length);
    const scanner = createXmlScanner({ tag: ignore, open: ignore, close: ignore, text, doctype: refuse });
    scanner.write('<a>');
    for (let i = 0; i < 10; i++) scanner.write('x'.repeat(1000));
    expect(lengths).toEqual(Array.from({ length: 10 }, () => 1000));
  });
});

describe('the scanner refuses', () => {
  it.each([
    ['an end tag of another name', '<a></b>'],
    ['an end tag that only begins alike', '<a></ab>'],
    ['an end tag too many', '<a/></a>'],
    ['a second root', '<a/><b/>'],
    ['text before the root', 'x<a/>'],
    ['text after the root', '<a/>x'],
    ['CDATA outside of the root', '<a/><![CDATA[x]]>'],
    ['a missing end', '<a><b></b>'],
    ['a tag without end', '<a'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['an entity without end', '<a>&amp</a>'],
    ['an ampersand alone', '<a>1 & 2</a>'],
    ['an ampersand in an attribute', '<a b="1 & 2"/>'],
    ['a reference to a control character', '<a>&#0;</a>'],
    ['a reference to a surrogate', '<a>&#xD800;</a>'],
    ['a reference beyond Unicode', '<a>&#x110000;</a>'],
    ['a control character in text', '<a>\u0001</a>'],
    ['a control character in an attribute', '<a b="\u0001"/>'],
    ['a control character in a comment', '<a><!--\u0001--></a>'],
    ['a control character in CDATA', '<a><![CDATA[\u0001]]></a>'],
    ['a non-character', '<a>\uffff</a>'],
    ['a < in an attribute', '<a b="<"/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['an attribute without value', '<a b/>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['attributes without a blank between', '<a b="1"c="2"/>'],
    ['a name that starts with a digit', '<1a/>'],
    ['a name with a sign that is no letter', '<a×/>'],
    ['a blank before a name', '< a/>'],
    ['a / inside a tag', '<a / b="1">'],
    [']]> in text', '<a>]]></a>'],
    ['-- in a comment', '<a><!-- -- --></a>'],
    ['a comment without end', '<a/><!-- '],
    ['an XML declaration in the middle', `<a>${declared}</a>`],
    ['an XML declaration after a blank', ` ${declared}<a/>`],
    ['an XML declaration without version', '<?xml encoding="UTF-8"?><a/>'],
    ['a DOCTYPE', '<!DOCTYPE a><a/>'],
    ['another declaration', '<a><!ELEMENT a ANY></a>'],
  ])('%s', (_name, xml) => {
    expect(attempt(() => scan([xml]))).toBeUndefined();
    expect(attempt(() => scan([...xml]))).toBeUndefined();
  });

  it('a tag that never ends, before it fills the memory', () => {
    expect(() => scan(['<a b="', ...Array.from({ length: 20 }, () => 'x'.repeat(8192))])).toThrow('longer than');
  });
});

const sample = `${declared}\n<e:E xmlns:e="u"><r t="a &amp; b" n='1'><k>x &lt; y</k><v>12</v><v/></r><!-- c --><?p i?><c><![CDATA[<z>]]></c></e:E>`;
const parts = [
  '<',
  '>',
  '&',
  '</',
  '/>',
  '<a>',
  '</a>',
  '<![CDATA[',
  ']]>',
  ']',
  '&#0;',
  '&#65;',
  '&x;',
  '&gt;',
  '<?p ?>',
  '<!--',
  '-->',
  '--',
  ' b="1"',
  '"',
  "'",
  '=',
  '\u0000',
  '\r',
  '\n',
  'ä',
  '😀',
  '×',
  '<?xml version="1.0"?>',
];

const mutate = (random: Random): string => {
  let xml = sample;
  for (let n = 1 + Math.floor(random.next() * 3); n > 0; n--) {
    const from = Math.floor(random.next() * xml.length);
    const to = from + Math.floor(random.next() * 12);
    const kind = random.next();
    const part = parts[Math.floor(random.next() * parts.length)] ?? '';
    if (kind < 0.3) xml = xml.slice(0, from) + xml.slice(to);
    else if (kind < 0.8) xml = xml.slice(0, from) + part + xml.slice(from);
    else xml = xml.slice(0, to) + xml.slice(from);
  }
  return xml;
};

describe('beside another strict parser', () => {
  it('the scanner accepts, refuses and tells the same, of damaged documents in random pieces', () => {
    const random = createSeededRandom(11);
    const counts = { accepted: 0, refused: 0 };
    for (let i = 0; i < 20_000; i++) {
      const xml = mutate(random);
      const cut = Math.floor(random.next() * xml.length);
      const reported = attempt(() => scan([xml.slice(0, cut), xml.slice(cut)]));
      expect({ xml, reported }).toEqual({ xml, reported: attempt(() => withSaxes(xml)) });
      counts[reported === undefined ? 'refused' : 'accepted']++;
    }
    expect(counts.accepted).toBeGreaterThan(1000);
    expect(counts.refused).toBeGreaterThan(1000);
  });
});
