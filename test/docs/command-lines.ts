import ts from 'typescript';

/** A command line found in a text. */
export interface CommandLine {
  /** The words after the program's name; quotes hold words together. */
  readonly words: readonly string[];
  /** As it was found. */
  readonly line: string;
}

const word = /'[^']*'|"(?:\$\([^)]*\)|[^"])*"/;
/** Ends a command in a line of a script. */
const scriptEnd = /[\n|;>#)]|&&/;
/** Ends one in a sentence, too: commas, brackets, and the end of the sentence. */
const sentenceEnd = /[\n|;>#`,()]|&&|[.:?!](?=\s|$)| (?:and|by|or|then) (?:govc|kubectl|vdoctl) /;

const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:'[^']*'|"(?:\$\([^)]*\)|[^"])*"|[^\s'"])+/g)].map(([text]) =>
    text.replace(/^(['"])(.*)\1$/s, '$2'),
  );

const upTo = (text: string, end: RegExp): string => {
  let line = '';
  for (let rest = text; rest !== ''; ) {
    const quoted = new RegExp(`^(?:${word.source})`).exec(rest)?.[0];
    if (quoted === undefined && rest.search(end) === 0) break;
    line += quoted ?? rest[0];
    rest = rest.slice(quoted?.length ?? 1);
  }
  return line.trim();
};

/** Every use of a program in a text. In a script the name begins a command; in a sentence it may stand anywhere. */
export const commandLines = (text: string, program: string, kind: 'script' | 'sentence'): readonly CommandLine[] => {
  const start =
    kind === 'script'
      ? String.raw`(?:^|[|;&(]\s*|\n\s*)(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx )?`
      : String.raw`(?<![\w/.@-]|complete -c )`;
  return [...text.matchAll(new RegExp(`${start}${program} +(?=\\S)`, 'g'))].map((found) => {
    const line = upTo(text.slice(found.index + found[0].length), kind === 'script' ? scriptEnd : sentenceEnd);
    return { words: wordsOf(line), line: `${program} ${line}` };
  });
};

/** The texts in a source file, with a name in the place of each value that is filled in. */
export const textsOf = (path: string, source: string): readonly string[] => {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => `VALUE${literal.text}`)].join(''));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  return texts;
};
