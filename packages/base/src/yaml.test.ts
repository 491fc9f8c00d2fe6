import { describe, expect, it } from 'vitest';
import { readYaml, yamlValue, yamlValues } from './yaml.ts';

/** Lines, each within what the line before has opened. */
const nested = (lines: number, piece: string, perLine = 1) =>
  Array.from({ length: lines }, (_, line) => ' '.repeat(line * perLine * piece.length) + piece.repeat(perLine)).join(
    '\n',
  );

const costMs = (act: () => unknown): number => {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

describe('YAML that would take the library seconds, or end the process', () => {
  it.each([
    ['keys in keys on one line', '? '.repeat(300)],
    ['thousands of them', '? '.repeat(4_000)],
    ['keys in keys, line by line', nested(250, '?')],
    ['keys with anchors', '? &a '.repeat(100)],
    ['keys with anchors, line by line', nested(150, '? &a\n '.trimEnd())],
    ['anchors before keys, over many lines', nested(30, '&a ? ', 6)],
    ['anchors and keys in lists', nested(100, '- &a\n  ?')],
    ['tags before keys', nested(30, '- !!map ? ', 6)],
    ['keys in lists in keys', '- ? '.repeat(150)],
    ['keys in brackets', '[? '.repeat(150)],
    ['keys in braces behind names', '{a: {? '.repeat(100)],
    ['thousands of brackets', '['.repeat(30_000)],
    ['lists in lists on one line', '- '.repeat(30_000)],
    ['lists in lists, a few on each line', nested(25, '- ', 150)],
    ['maps in maps', nested(1_000, 'a:')],
    ['names behind colons', 'a: '.repeat(4_000)],
    ['a list as a key', '[a, b]: c\n'],
    ['a map as a key', '? a: b\n: c\n'],
  ])('is refused at once: %s', (_, text) => {
    let problems: readonly unknown[] = [];
    const tookMs = costMs(() => ({ problems } = readYaml(text)));
    expect(problems).not.toEqual([]);
    expect(tookMs).toBeLessThan(1_000);
    expect(() => yamlValues(text)).toThrow(/ at line \d+$/);
  });

  it('is refused where its aliases multiply', () => {
    const levels = Array.from({ length: 12 }, (_, level) => `a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}]`);
    expect(() => yamlValues(['a-1: &a-1 [x]', ...levels].join('\n'))).toThrow(/alias/);
  });
});

describe('YAML that people write', () => {
  it.each([
    ['keys behind question marks', '? a\n: b\n? c\n: d\n', { a: 'b', c: 'd' }],
    ['keys that look like other things', '1: a\ntrue: b\nnull: c\n', { '1': 'a', true: 'b', null: 'c' }],
    ['nothing', '# a remark\n', null],
    ['an alias', 'a: &x [1]\nb: *x\n', { a: [1], b: [1] }],
    ['a text with questions', 'text: |\n  Really? Yes?\n', { text: 'Really? Yes?\n' }],
  ])('is read: %s', (_, text, value) => {
    expect(yamlValue(text)).toEqual(value);
  });

  it('may be as deep as any Kubernetes object', () => {
    expect(yamlValue('['.repeat(150) + ']'.repeat(150))).toHaveLength(1);
    expect(readYaml(nested(150, 'a:')).problems).toEqual([]);
  });

  it('may contain several documents, unless one is requested', () => {
    expect(yamlValues('a: 1\n---\nb: 2\n')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(() => yamlValue('a: 1\n---\nb: 2\n')).toThrow('it has more than one document');
  });

  it('is refused with the line of its first mistake, and without any of its text', () => {
    expect(() => yamlValue('a: b\nc: "obviously-fake\n')).toThrow(/^Missing closing "quote at line 3$/);
    expect(() => yamlValue('a: b\nc: "obviously-fake\n')).not.toThrow(/obviously-fake/);
    expect(() => yamlValue('a: 1\na: 2\n')).toThrow(/^Map keys must be unique at line 2$/);
  });

  it.each([
    'password: *SECRET',
    'password: !SECRET x',
    'password: !!SECRET {',
    'password: &SECRET *SECRET',
    'password: [a}SECRET',
    'password: "\\USECRET"',
    'password: "x" SECRET',
    "password: 'x'SECRET",
    'password: @SECRET',
    'password: `SECRET`',
    'password: %SECRET',
    '%SECRET a\n---\nx: y',
    'password: |SECRET\n x',
    'password: a: SECRET',
    '}SECRET',
    'SECRET: {\n]',
    'SECRET\n  x: y',
    'a: &b [*b, *b]\nSECRET: *c',
    '- SECRET\n- x: y\n z',
  ])('that is broken does not repeat what it says: %j', (text) => {
    const reported = () => {
      try {
        return JSON.stringify(yamlValue(text));
      } catch (error) {
        return `refused: ${(error as Error).message}`;
      }
    };
    const message = reported();
    if (message.startsWith('refused')) expect(message).not.toContain('SECRET');
  });
});
