import type { ProblemList } from '../problems.ts';

export interface ScanOptions {
  readonly source: string;
  /** The position after the `=`. */
  readonly offset: number;
  readonly line: number;
  /** Key of the value, for messages. */
  readonly field: string;
  readonly problems: ProblemList;
}

export interface ScannedValue {
  readonly value: string;
  /** The start of the next line. */
  readonly offset: number;
  readonly line: number;
}

interface State {
  value: string;
  /** Length of the value without trailing blanks of an unquoted part; inside quotes, blanks belong to the value. */
  kept: number;
  quoted: boolean;
  line: number;
  ended: boolean;
  readonly warn: (message: string, remedy: string) => void;
}

interface Token {
  readonly pattern: RegExp;
  readonly take: (state: State, text: string) => void;
}

// \r is our extension: gcfg cannot write a carriage return.
const escapes: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', n: '\n', t: '\t', r: '\r' };

const keep = (state: State, text: string): void => {
  state.value += text;
  state.kept = state.value.length;
};
const turnQuote = (state: State): void => {
  state.quoted = !state.quoted;
  state.kept = state.value.length;
};
const end = (state: State): void => {
  state.ended = true;
};
const takeComment = (state: State, text: string): void => {
  const touches = state.kept > 0 && state.kept === state.value.length;
  if (touches) {
    state.warn(
      `the value ends at ${text.slice(0, 1)}, which starts a comment`,
      `If ${text.slice(0, 1)} is part of the value, put the value in double quotes; otherwise put a space before it.`,
    );
  }
};
const takeOddBackslash = (state: State): void => {
  keep(state, '\\');
  state.warn(
    'contains a single backslash, which the Go drivers reject; VDO reads it as a backslash',
    'Put the value in double quotes and double each backslash.',
  );
};

const ends: Token = { pattern: /\n|$/y, take: end };
const oddBackslash: Token = { pattern: /\\/y, take: takeOddBackslash };
const quote: Token = { pattern: /"/y, take: turnQuote };
// As in gcfg: a single carriage return is part of the line end, wherever it is.
const carriageReturn: Token = { pattern: /\r/y, take: () => {} };

const bareTokens: readonly Token[] = [
  ends,
  {
    pattern: /\\\r?\n/y,
    take: (state) => {
      state.line += 1;
    },
  },
  { pattern: /\\"/y, take: (state) => keep(state, '"') },
  oddBackslash,
  quote,
  { pattern: /[#;][^\n]*/y, take: takeComment },
  carriageReturn,
  {
    pattern: /[ \t]+/y,
    take: (state, text) => {
      if (state.value !== '') state.value += text;
    },
  },
  { pattern: /[^\\"#;\s]+|\s/y, take: keep },
];

const quotedTokens: readonly Token[] = [
  ends,
  { pattern: /\\[\\"ntr]/y, take: (state, text) => keep(state, escapes[text.slice(1)] ?? text) },
  oddBackslash,
  quote,
  carriageReturn,
  { pattern: /[^\\"\n\r]+/y, take: keep },
];

const matchAt = ({ pattern }: Token, source: string, offset: number): string | undefined => {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0];
};

/** Reads one value up to the end of its (last) line. Quoted and unquoted parts may alternate, as in gcfg. */
export const scanValue = ({ source, offset, line, field, problems }: ScanOptions): ScannedValue => {
  const state: State = {
    value: '',
    kept: 0,
    quoted: false,
    line,
    ended: false,
    warn: (message, remedy) => problems.warn({ line: state.line, field, message, remedy }),
  };
  let at = offset;
  while (!state.ended) {
    const tokens = state.quoted ? quotedTokens : bareTokens;
    const matched = tokens.map((token) => ({ token, text: matchAt(token, source, at) }));
    const first = matched.find(({ text }) => text !== undefined);
    first?.token.take(state, first.text ?? '');
    at += Math.max(first?.text?.length ?? 1, state.ended ? 1 : 0);
  }
  if (state.quoted) {
    problems.error({
      line,
      field,
      message: 'the double quote is not closed on this line',
      remedy: 'Close the value with a double quote; write \\" for a quote inside it.',
    });
  }
  return { value: state.value.slice(0, state.kept), offset: at, line: state.line + 1 };
};
