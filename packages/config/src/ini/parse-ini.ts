import type { ProblemList } from '../problems.ts';
import { scanValue } from './scan-value.ts';

export interface IniEntry {
  readonly key: string;
  /** Undefined for a key without `=`, which means true. */
  readonly value: string | undefined;
  readonly line: number;
}

export interface IniSection {
  readonly name: string;
  /** The quoted part of `[VirtualCenter "east"]`. */
  readonly subname?: string;
  readonly line: number;
  readonly entries: readonly IniEntry[];
}

const header = /^\[\s*([\p{L}][\p{L}\p{Nd}-]*)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\]\s*(?:[;#].*)?$/u;
const variable = /^[ \t]*([\p{L}][\p{L}\p{Nd}-]*)[ \t\r]*(=|$|(?=[;#]))/u;

const parseHeader = (text: string, line: number, problems: ProblemList): Omit<IniSection, 'entries'> | undefined => {
  const match = header.exec(text);
  if (match?.[1]) {
    const subname = match[2]?.replace(/\\(.)/g, '$1');
    return { name: match[1], ...(subname === undefined ? {} : { subname }), line };
  }
  problems.error({
    line,
    field: 'section',
    message: `"${text}" is not a section header`,
    remedy: 'Write [Global], or [VirtualCenter "host"] with the name in double quotes.',
  });
  return undefined;
};

interface Line {
  readonly source: string;
  readonly text: string;
  readonly offset: number;
  readonly number: number;
}

interface ParsedVariable {
  readonly entry?: IniEntry;
  readonly nextOffset: number;
  readonly nextLine: number;
}

const parseVariable = ({ source, text, offset, number }: Line, problems: ProblemList): ParsedVariable => {
  const match = variable.exec(text);
  const key = match?.[1];
  const behind = { nextOffset: offset + text.length + 1, nextLine: number + 1 };
  if (!match || key === undefined) {
    problems.error({
      line: number,
      field: 'file',
      message: 'expected a section header or key = value',
      remedy: 'Write key = value, or start the line with # for a comment.',
    });
    return behind;
  }
  if (match[2] !== '=') return { ...behind, entry: { key, value: undefined, line: number } };
  const scanned = scanValue({ source, offset: offset + match[0].length, line: number, field: key, problems });
  return { nextOffset: scanned.offset, nextLine: scanned.line, entry: { key, value: scanned.value, line: number } };
};

/**
 * Reads the INI dialect of the Go drivers (gcfg): `[section "name"]`, `key = value`, comments with # and ; up to the
 * end of the line, double quotes with the escapes \\ \" \n \t, a backslash at the end of a line to continue it.
 * A backslash inside a password is refused by gcfg but has only one sensible meaning: it is read with a warning.
 */
export const parseIni = (text: string, problems: ProblemList): readonly IniSection[] => {
  const source = text.replace(/^\uFEFF/, '');
  const sections: (Omit<IniSection, 'entries'> & { readonly entries: IniEntry[] })[] = [];
  const orphans: IniEntry[] = [];
  // Keys below a broken header would only repeat its problem.
  let current = orphans;
  let offset = 0;
  let number = 1;
  while (offset < source.length) {
    const lineEnd = source.indexOf('\n', offset);
    const line: Line = { source, text: source.slice(offset, lineEnd < 0 ? undefined : lineEnd), offset, number };
    const content = line.text.trim();
    offset += line.text.length + 1;
    number += 1;
    if (content.startsWith('[')) {
      const section = parseHeader(content, line.number, problems);
      current = [];
      if (section) sections.push({ ...section, entries: current });
    } else if (content !== '' && !/^[;#]/.test(content)) {
      const parsed = parseVariable(line, problems);
      if (parsed.entry) current.push(parsed.entry);
      offset = parsed.nextOffset;
      number = parsed.nextLine;
    }
  }
  for (const { key, line } of orphans.slice(0, 1)) {
    problems.error({
      line,
      field: key,
      message: 'is before the first section header',
      remedy: 'Put [Global] above it.',
    });
  }
  return sections;
};
