import { Composer, type Document, Lexer, LineCounter, Parser, type YAMLParseError } from 'yaml';

/** Maximum nesting; no Kubernetes object comes near it. The library recurses, and deep texts would end the process. */
const maxDepth = 200;
/** A user who corrects the first mistakes sees the next ones. */
const maxProblems = 100;

interface YamlProblem {
  /** Counted from 1. */
  readonly line: number;
  /** Contains nothing of the text, which may have a password. */
  readonly message: string;
}

export interface YamlText {
  /** Empty if there is a problem. */
  readonly documents: readonly Document.Parsed[];
  readonly problems: readonly YamlProblem[];
  /** The line of an offset in the text. */
  lineAt(offset: number): number;
}

class TooDeep extends Error {}

/** Tokens that are allowed between documents; everything else there is a mistake. */
const betweenDocuments = ['document', 'directive', 'byte-order-mark', 'comment', 'newline', 'space', 'doc-end'];

/** The parser has its own stack, so the depth is known before anything recurses. */
function* tokensOf(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let mistakes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      yield token;
      if (!betweenDocuments.includes(token.type)) mistakes += 1;
    }
    // Each mistake costs the library as much as a hundred bytes of text.
    if (mistakes > maxProblems) return;
    if (parser.stack.length > maxDepth)
      throw new TooDeep(`it is nested deeper than ${maxDepth} levels at line ${lines.linePos(parser.offset).line}`);
  }
  yield* parser.end();
}

/** The library repeats what it has read: after a colon, a percent sign or a backslash. */
const withoutText = (message: string): string =>
  message.split(/[:%\\\n]| at line \d/)[0]?.trim() || 'it cannot be read';

const messageOf = ({ code, message }: YAMLParseError): string =>
  code === 'NON_STRING_KEY' ? 'a key is a list or a map; it must be a string' : withoutText(message);

/**
 * Reads YAML from others, in time that grows only with its length: nesting is limited, and a list or a map cannot be a key
 * (as in JSON; writing such a key as text takes the library exponential time). Keys stay as written.
 */
export const readYaml = (text: string, options: { readonly uniqueKeys?: boolean } = {}): YamlText => {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  // The library looks up the position of each error that it formats: thousands of them take seconds.
  const composer = new Composer({ ...options, stringKeys: true, prettyErrors: false, logLevel: 'error' });
  try {
    const documents = [...composer.compose(tokensOf(text, lines))];
    const errors =
      documents.length > 0 ? documents.flatMap((document) => document.errors) : composer.streamInfo().errors;
    const problems = errors
      .slice(0, maxProblems)
      .map((error) => ({ line: lineAt(error.pos[0]), message: messageOf(error) }));
    return { documents: problems.length > 0 ? [] : documents, problems, lineAt };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { documents: [], problems: [{ line: 1, message: error.message }], lineAt };
  }
};

/** The values of all documents of a text. Throws an Error that says what is wrong and where. */
export const yamlValues = (text: string): readonly unknown[] => {
  const { documents, problems } = readYaml(text);
  const [problem] = problems;
  if (problem) throw new Error(`${problem.message} at line ${problem.line}`);
  try {
    return documents.map((document) => document.toJS() as unknown);
  } catch (error) {
    // Aliases that multiply, or that refer to nothing.
    throw new Error(withoutText(error instanceof Error ? error.message : String(error)));
  }
};

/** The value of a text that holds one document; null if it is empty. Throws as yamlValues does. */
export const yamlValue = (text: string): unknown => {
  const values = yamlValues(text);
  if (values.length > 1) throw new Error('it has more than one document');
  return values[0] ?? null;
};
