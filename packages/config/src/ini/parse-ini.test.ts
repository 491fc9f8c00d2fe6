import { describe, expect, it } from 'vitest';
import { createProblemList, describeProblem } from '../problems.ts';
import { parseIni } from './parse-ini.ts';

const scan = (text: string): { readonly value: string | undefined; readonly problems: readonly string[] } => {
  const problems = createProblemList();
  const sections = parseIni(`[S]\n${text}`, problems);
  return { value: sections[0]?.entries[0]?.value, problems: problems.all.map(describeProblem) };
};

describe('a value', () => {
  const cases: readonly [string, string, string | undefined][] = [
    ['is trimmed', 'k =   a b  ', 'a b'],
    ['may touch the equals sign', 'k=a', 'a'],
    ['may be empty', 'k =', ''],
    ['is missing when there is no equals sign', 'k', undefined],
    ['is missing before a comment', 'k # x', undefined],
    ['keeps blanks inside quotes', 'k = " a "', ' a '],
    ['ends before a comment', 'k = a # b', 'a'],
    ['ends before a comment with a semicolon', 'k = a ; b', 'a'],
    ['keeps comment signs inside quotes', 'k = "a#b;c" # d', 'a#b;c'],
    ['may alternate quoted and bare pieces', 'k = a" b "c', 'a b c'],
    ['undoes escapes inside quotes', String.raw`k = "\\ \" \n \t"`, '\\ " \n \t'],
    ['may have an escaped quote outside quotes', String.raw`k = a\"b`, 'a"b'],
    ['goes on behind a backslash at the end of the line', 'k = a\\\nb', 'ab'],
    ['goes on behind a backslash and Windows line end', 'k = a\\\r\nb', 'ab'],
    ['loses Windows line ends', 'k = a\r\n', 'a'],
    ['may contain an equals sign', 'k = a=b', 'a=b'],
    ['may contain brackets', 'k = [a]', '[a]'],
    ['may contain any letter', 'k = ä€😀', 'ä€😀'],
  ];
  it.each(cases)('%s', (_name, text, value) => {
    expect(scan(text)).toEqual({ value, problems: [] });
  });

  it('with a single backslash is read as written, with a warning', () => {
    expect(scan(String.raw`k = DOMAIN\user`)).toEqual({
      value: 'DOMAIN\\user',
      problems: ['line 2: k: contains a single backslash, which the Go drivers reject; VDO reads it as a backslash'],
    });
    expect(scan(String.raw`k = "p\d"`).value).toBe('p\\d');
  });

  it('that ends at a comment sign is reported, because passwords may contain one', () => {
    expect(scan('k = pass#word')).toEqual({
      value: 'pass',
      problems: ['line 2: k: the value ends at #, which starts a comment'],
    });
  });
});

describe('a file', () => {
  it('has sections with and without names, and line numbers are correct after continued values', () => {
    const problems = createProblemList();
    const text = '\uFEFF[Global]\na = 1\\\n2\nb = 3\n[ VirtualCenter   "x \\"y\\" \\\\" ] ; c\nd\n[Global]\ne = 4';
    expect(parseIni(text, problems)).toEqual([
      {
        name: 'Global',
        line: 1,
        entries: [
          { key: 'a', value: '12', line: 2 },
          { key: 'b', value: '3', line: 4 },
        ],
      },
      { name: 'VirtualCenter', subname: 'x "y" \\', line: 5, entries: [{ key: 'd', value: undefined, line: 6 }] },
      { name: 'Global', line: 7, entries: [{ key: 'e', value: '4', line: 8 }] },
    ]);
    expect(problems.all).toEqual([]);
  });

  it('reports each other line', () => {
    const problems = createProblemList();
    parseIni('[A]\n= x\n1a = 2\nkey value\n[B] x\nc = 1\n', problems);
    expect(problems.all.map(describeProblem)).toEqual([
      'line 2: file: expected a section header or key = value',
      'line 3: file: expected a section header or key = value',
      'line 4: file: expected a section header or key = value',
      'line 5: section: "[B] x" is not a section header',
    ]);
  });
});
