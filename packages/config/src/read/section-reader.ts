import { isThumbprint } from '@vdo/base/thumbprint';
import type { IpFamily } from '../driver-config.ts';
import { nearest } from '../nearest.ts';
import type { ProblemList } from '../problems.ts';
import { isCidr } from './cidr.ts';
import { emptyMap, type RawEntry, type RawMap, type RawValue } from './raw-value.ts';

export interface SectionContext {
  /** The path of the section, such as `vcenter.east`; empty for the whole file. */
  readonly path: string;
  readonly problems: ProblemList;
  readonly unknownKeys: 'warn' | 'refuse';
  /** The correct spelling of a key that is written as in the other file format. */
  readonly otherSpelling: (key: string) => string | undefined;
  /** A key of the YAML format in the spelling of this file. */
  readonly spell: (key: string) => string;
}

/** Reads typed values from one section. Every accessor marks its key as known; `done` reports the others. */
export interface SectionReader {
  readonly line: number;
  has(key: string): boolean;
  /** Undefined for values from the environment. */
  lineOf(key: string): number | undefined;
  text(key: string): string | undefined;
  flag(key: string): boolean | undefined;
  /** A whole number within the bounds. */
  count(key: string, bounds: { readonly min: number; readonly max: number }): number | undefined;
  oneOf<T extends string>(key: string, allowed: readonly T[]): T | undefined;
  /** A list, or one text with commas. */
  list(key: string): readonly string[] | undefined;
  families(key: string): readonly IpFamily[] | undefined;
  cidrs(key: string): readonly string[] | undefined;
  thumbprints(key: string): readonly string[] | undefined;
  section(key: string): SectionReader;
  /** The entries of a map of sections, in the order of the file. */
  named(key: string): readonly { readonly name: string; readonly reader: SectionReader }[];
  /** The items of a list of sections; plain text becomes a section with only `scalarKey`. */
  items(key: string, scalarKey: string): readonly SectionReader[];
  /** Marks keys as known that this program does not use. */
  ignore(...keys: readonly string[]): void;
  problem(key: string, message: string, remedy: string): void;
  /** Call last. */
  done(): void;
}

const flagWords: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, 1: true, t: true, y: true },
  ...{ false: false, no: false, off: false, 0: false, f: false, n: false },
};
const splitCommas = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const createSectionReader = (value: RawValue | undefined, context: SectionContext): SectionReader => {
  const { path, problems, unknownKeys } = context;
  const known = new Set<string>();
  const children: SectionReader[] = [];
  const name = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const map = asMap(value, context);
  const entries = lastOfEach(map.entries, context);

  const find = (key: string): RawEntry | undefined => {
    known.add(key);
    const entry = entries.get(key);
    return entry?.value.kind === 'empty' ? undefined : entry;
  };
  const problem = (key: string, message: string, remedy: string): void => {
    const entry = entries.get(key);
    const place = entry?.variable
      ? { field: entry.variable }
      : { ...(entry ? { line: entry.line } : {}), field: name(entry?.spelled ?? key) };
    problems.error({ ...place, message, remedy });
  };
  const scalar = (key: string): string | undefined => {
    const entry = find(key);
    if (!entry) return undefined;
    if (entry.value.kind === 'scalar') return entry.value.text;
    problem(key, `is a ${entry.value.kind}, expected one value`, `Write ${entry.spelled} as a single value.`);
    return undefined;
  };
  const list = (key: string): readonly string[] | undefined => {
    const entry = find(key);
    if (entry?.value.kind === 'scalar') return splitCommas(entry.value.text);
    if (entry?.value.kind !== 'list') {
      if (entry) problem(key, `is a ${entry.value.kind}, expected a list`, `Write ${entry.spelled} as a list.`);
      return undefined;
    }
    return entry.value.items.flatMap((item) => {
      if (item.kind === 'scalar') return [item.text.trim()].filter((text) => text !== '');
      problem(
        key,
        `has an item that is a ${item.kind}, expected strings`,
        `Write each item of ${entry.spelled} as a single value.`,
      );
      return [];
    });
  };
  const checkedList = (
    key: string,
    valid: (item: string) => boolean,
    expected: string,
  ): readonly string[] | undefined =>
    list(key)?.filter((item) => {
      if (valid(item)) return true;
      problem(key, `"${item}" is not ${expected}`, `Correct or remove "${item}".`);
      return false;
    });
  const child = (key: string, childValue: RawValue | undefined): SectionReader => {
    const reader = createSectionReader(childValue, { ...context, path: name(key) });
    children.push(reader);
    return reader;
  };

  return {
    line: map.line,
    has: (key) => find(key) !== undefined,
    lineOf: (key) => {
      const entry = entries.get(key);
      return entry?.variable === undefined ? entry?.line : undefined;
    },
    text: (key) => {
      const text = scalar(key);
      return text === '' ? undefined : text;
    },
    flag: (key) => {
      const text = scalar(key);
      if (text === undefined || text === '') return undefined;
      const flag = flagWords[text.toLowerCase()];
      if (flag === undefined) problem(key, `"${text}" is neither true nor false`, 'Write true or false.');
      return flag;
    },
    count: (key, { min, max }) => {
      const text = scalar(key);
      if (text === undefined || text === '') return undefined;
      const number = /^(\d+|0x[0-9a-f]+)$/i.test(text.trim()) ? Number(text) : Number.NaN;
      if (number >= min && number <= max) return number;
      problem(key, `"${text}" is not a whole number from ${min} to ${max}`, `Write a number from ${min} to ${max}.`);
      return undefined;
    },
    oneOf: (key, allowed) => {
      const text = scalar(key);
      if (text === undefined || text === '') return undefined;
      const match = allowed.find((word) => word.toLowerCase() === text.toLowerCase());
      if (match === undefined) {
        const meant = nearest(text, allowed);
        problem(
          key,
          `"${text}" is not one of ${allowed.join(', ')}`,
          `Write ${meant ?? `one of ${allowed.join(', ')}`}.`,
        );
      }
      return match;
    },
    list,
    families: (key) => {
      const valid = checkedList(key, (item) => /^ipv[46]$/i.test(item), 'an IP family, expected ipv4 or ipv6');
      return valid && [...new Set(valid.map((item): IpFamily => (item.toLowerCase() === 'ipv6' ? 'ipv6' : 'ipv4')))];
    },
    cidrs: (key) => checkedList(key, isCidr, 'a network in CIDR notation such as 192.0.2.0/24'),
    thumbprints: (key) =>
      checkedList(key, isThumbprint, 'a thumbprint of 40 (SHA-1) or 64 (SHA-256) hexadecimal digits'),
    section: (key) => child(key, find(key)?.value),
    named: (key) => {
      const parent = asMap(find(key)?.value, { ...context, path: name(key) });
      return [...lastOfEach(parent.entries, { ...context, path: name(key) }).values()].map((entry) => ({
        name: entry.key,
        reader: child(`${key}.${entry.spelled}`, entry.value),
      }));
    },
    items: (key, scalarKey) => {
      const entry = find(key);
      if (entry?.value.kind === 'scalar') {
        return splitCommas(entry.value.text).map((text, index) =>
          child(`${key}[${index}]`, onlyKey(scalarKey, text, entry.line)),
        );
      }
      if (entry?.value.kind !== 'list') return entry ? [child(key, entry.value)] : [];
      return entry.value.items.map((item, index) =>
        child(`${key}[${index}]`, item.kind === 'scalar' ? onlyKey(scalarKey, item.text, item.line) : item),
      );
    },
    ignore: (...keys) => {
      for (const key of keys) known.add(key);
    },
    problem,
    done: () => {
      for (const reader of children) reader.done();
      for (const entry of entries.values()) {
        if (known.has(entry.key)) continue;
        const meant = context.otherSpelling(entry.spelled) ?? nearest(entry.spelled, [...known].map(context.spell));
        problems[unknownKeys === 'warn' ? 'warn' : 'error']({
          line: entry.line,
          field: name(entry.spelled),
          message: `is an unknown key and has no effect${meant ? `; did you mean ${meant}?` : ''}`,
          remedy: meant ? `Rename it to ${meant} or remove it.` : 'Remove it.',
        });
      }
    },
  };
};

const onlyKey = (key: string, text: string, line: number): RawMap => ({
  kind: 'map',
  line,
  entries: [{ key, spelled: key, line, value: { kind: 'scalar', text, line } }],
});

const asMap = (value: RawValue | undefined, { path, problems }: SectionContext): RawMap => {
  if (value?.kind === 'map') return value;
  if (value && value.kind !== 'empty') {
    problems.error({
      line: value.line,
      field: path === '' ? 'file' : path,
      message: `is a ${value.kind === 'list' ? 'list' : 'single value'}, expected keys with values`,
      remedy: 'Write key: value lines under it.',
    });
  }
  return emptyMap;
};

/** If a key occurs twice, the Go drivers silently use the last one. */
const lastOfEach = (
  entries: readonly RawEntry[],
  { path, problems, unknownKeys }: SectionContext,
): Map<string, RawEntry> => {
  const last = new Map<string, RawEntry>();
  for (const entry of entries) {
    const earlier = last.get(entry.key);
    if (earlier) {
      problems[unknownKeys === 'warn' ? 'warn' : 'error']({
        line: entry.line,
        field: path === '' ? entry.spelled : `${path}.${entry.spelled}`,
        message: `is set again; it was set on line ${earlier.line}, and the later value is used`,
        remedy: 'Remove one of the two.',
      });
    }
    last.set(entry.key, entry);
  }
  return last;
};
