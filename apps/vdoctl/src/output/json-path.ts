import { VdoError } from '@vdo/base/vdo-error';

/** One step of a path: from the current values to the next ones. */
type Step = (values: readonly unknown[]) => readonly unknown[];
type Path = readonly Step[];

/** Parts of a template: text, values, and a range that is repeated for each value. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'values'; readonly path: Path }
  | { readonly kind: 'range'; readonly path: Path; readonly body: readonly Part[] };

const refuse = (template: string, why: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `invalid JSONPath ${template}: ${why}`,
    remedy: "Use the JSONPath syntax of kubectl, such as jsonpath='{[*].node}'. To see the field names, use -o json.",
  });

const childrenOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value as readonly unknown[];
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
};

const fieldOf = (value: unknown, name: string): readonly unknown[] => {
  // kubectl lists have their objects in `items`; ours are plain arrays.
  if (Array.isArray(value)) return name === 'items' ? [value] : [];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
  return [(value as Readonly<Record<string, unknown>>)[name]];
};

const descendants = (value: unknown): readonly unknown[] => [value, ...childrenOf(value).flatMap(descendants)];

const field =
  (name: string): Step =>
  (values) =>
    values.flatMap((value) => fieldOf(value, name));
const all: Step = (values) => values.flatMap(childrenOf);
const deep: Step = (values) => values.flatMap(descendants);
const slice =
  (from: number | undefined, to: number | undefined): Step =>
  (values) =>
    values.flatMap((value) => (Array.isArray(value) ? (value.slice(from, to) as readonly unknown[]) : []));
const item =
  (index: number): Step =>
  (values) =>
    values.flatMap((value) => (Array.isArray(value) && value.at(index) !== undefined ? [value.at(index)] : []));

const walk = (path: Path, value: unknown): readonly unknown[] =>
  path.reduce<readonly unknown[]>((values, step) => step(values), [value]);

const operators: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<=': (left, right) => Number(left) <= Number(right),
  '>=': (left, right) => Number(left) >= Number(right),
  '<': (left, right) => Number(left) < Number(right),
  '>': (left, right) => Number(left) > Number(right),
};

const nameEnd = new Set(['.', '[', ']', '}', ')', '=', '!', '<', '>', ' ', '|', '&', ',', ':']);

/** Reads a text from left to right. */
const createScanner = (text: string) => {
  let at = 0;
  const fail = (why: string): never => {
    throw refuse(text, why);
  };
  const peek = (word: string): boolean => text.startsWith(word, at);
  const take = (word: string): boolean => {
    if (!peek(word)) return false;
    at += word.length;
    return true;
  };
  const next = (): string => {
    const letter = text[at] ?? '';
    at += 1;
    return letter;
  };
  const need = (word: string): void => {
    if (!take(word)) fail(`${word} is missing at character ${at + 1}`);
  };
  const missing = (what: string): never => fail(`${what} is missing at character ${at + 1}`);
  const isOver = (): boolean => at >= text.length;
  return {
    fail,
    missing,
    peek,
    take,
    next,
    need,
    isOver,
    spaces: (): void => {
      while (take(' '));
    },
    /** Up to the next character that ends a name; a backslash escapes such a character. */
    name: (): string => {
      let name = '';
      while (!isOver() && !nameEnd.has(text[at] ?? '')) {
        take('\\');
        name += next();
      }
      return name;
    },
    /** Up to the mark, which is not consumed, or up to the end. */
    upTo: (mark: string): string => {
      const end = text.indexOf(mark, at);
      const found = text.slice(at, end < 0 ? undefined : end);
      at += found.length;
      return found;
    },
  };
};

type Scanner = ReturnType<typeof createScanner>;

const isQuote = ({ peek }: Scanner): boolean => peek("'") || peek('"');

const escaped: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

const readQuoted = ({ next, peek, take, need, isOver }: Scanner): string => {
  const mark = next();
  let text = '';
  while (!isOver() && !peek(mark)) {
    const isEscaped = take('\\');
    const letter = next();
    text += isEscaped ? (escaped[letter] ?? letter) : letter;
  }
  need(mark);
  return text;
};

const readLiteral = (scanner: Scanner): unknown => {
  if (isQuote(scanner)) return readQuoted(scanner);
  const text = scanner.name();
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return text === '' || Number.isNaN(Number(text)) ? scanner.missing('a value') : Number(text);
};

/** After `?(`: `@.size>2)`, or `@.size)` for values that have this field. */
const readFilter = (scanner: Scanner): Step => {
  const { need, spaces, take } = scanner;
  need('@');
  const path = readSteps(scanner);
  spaces();
  const operator = Object.keys(operators).find(take);
  spaces();
  const right = operator === undefined ? undefined : readLiteral(scanner);
  spaces();
  need(')');
  const compare = operator === undefined ? undefined : operators[operator];
  const holds = (value: unknown): boolean => {
    const found = walk(path, value);
    return compare ? found.some((left) => compare(left, right)) : found.length > 0;
  };
  return (values) => values.flatMap(childrenOf).filter(holds);
};

const readNumber = ({ name, fail }: Scanner): number | undefined => {
  const text = name();
  if (text === '') return undefined;
  return Number.isInteger(Number(text)) ? Number(text) : fail(`${text} is not an integer`);
};

const readMember = (scanner: Scanner): Step => {
  scanner.spaces();
  if (scanner.take('*')) return all;
  if (scanner.take('?(')) return readFilter(scanner);
  if (isQuote(scanner)) return field(readQuoted(scanner));
  const first = readNumber(scanner);
  if (scanner.take(':')) return slice(first, readNumber(scanner));
  return first === undefined ? scanner.missing('an index') : item(first);
};

/** After `[`: `0]`, `'a','b']`, `?(…)]`. */
const readBracket = (scanner: Scanner): Step => {
  const members = [readMember(scanner)];
  scanner.spaces();
  while (scanner.take(',')) {
    members.push(readMember(scanner));
    scanner.spaces();
  }
  scanner.need(']');
  return (values) => members.flatMap((step) => step(values));
};

/** After a dot: a field, `*`, or nothing before a bracket or the end. */
const readField = ({ take, peek, name }: Scanner): readonly Step[] => {
  if (take('*')) return [all];
  const word = peek('[') ? '' : name();
  return word === '' ? [] : [field(word)];
};

const readSteps = (scanner: Scanner): Path => {
  const { take } = scanner;
  const found: Step[] = [];
  take('$');
  for (;;) {
    if (take('..')) found.push(deep, ...readField(scanner));
    else if (take('[')) found.push(readBracket(scanner));
    else if (take('.')) found.push(...readField(scanner));
    else return found;
  }
};

const readPath = (scanner: Scanner): Path => {
  const { peek, take, name, missing } = scanner;
  if (take('@') || peek('$') || peek('.') || peek('[')) return readSteps(scanner);
  const word = name();
  return word === '' ? missing('a field') : [field(word), ...readSteps(scanner)];
};

/** After `{`, up to and including `}`. Undefined: the end of a range. */
const readAction = (scanner: Scanner): Part | undefined => {
  const { take, spaces, need } = scanner;
  spaces();
  if (take('end')) {
    spaces();
    need('}');
    return undefined;
  }
  const isRange = take('range ');
  spaces();
  if (!isRange && isQuote(scanner)) {
    const text = readQuoted(scanner);
    spaces();
    need('}');
    return { kind: 'text', text };
  }
  const path = readPath(scanner);
  spaces();
  need('}');
  return isRange ? { kind: 'range', path, body: readParts(scanner, true) } : { kind: 'values', path };
};

const readParts = (scanner: Scanner, inRange: boolean): readonly Part[] => {
  const found: Part[] = [];
  while (!scanner.isOver()) {
    if (!scanner.take('{')) {
      found.push({ kind: 'text', text: scanner.upTo('{') });
      continue;
    }
    const part = readAction(scanner);
    if (part) found.push(part);
    else return inRange ? found : scanner.fail('{end} without {range}');
  }
  return inRange ? scanner.fail('{range} without {end}') : found;
};

const textOf = (value: unknown): string => {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const render = (parts: readonly Part[], value: unknown): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const found = walk(part.path, value);
      if (part.kind === 'values') return found.map(textOf).join(' ');
      return found.map((one) => render(part.body, one)).join('');
    })
    .join('');

/** A template as for `kubectl -o jsonpath`, to be applied to a document. The braces around a single path are optional. */
export const parseJsonPath = (template: string): ((document: unknown) => string) => {
  const parts = readParts(createScanner(template.includes('{') ? template : `{${template}}`), false);
  return (document) => render(parts, document);
};
