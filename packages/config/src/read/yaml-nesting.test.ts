import { describe, expect, it } from 'vitest';
import { isNestedTooDeeply } from './yaml-nesting.ts';

const indented = (count: number, text: string) =>
  Array.from({ length: count }, (_, level) => `${' '.repeat(level)}${text}`).join('\n');

describe('YAML that would take the library seconds or more', () => {
  it.each([
    ['keys in keys on one line', '? '.repeat(300)],
    ['keys in keys, line by line', indented(300, '?')],
    ['keys in lists in keys', '- ? '.repeat(150)],
    ['keys in brackets', '[? '.repeat(150)],
    ['keys in braces behind names', '{a: {? '.repeat(100)],
    ['brackets', '['.repeat(300)],
    ['lists in lists on one line', '- '.repeat(300)],
  ])('is found: %s', (_, text) => {
    expect(isNestedTooDeeply(text)).toBe(true);
  });
});

it.each([
  ['a few keys behind question marks', '? a\n: b\n? c\n: d\n'],
  ['questions in a text', 'text: |\n  Really? Yes, really? Yes.\n'.repeat(100)],
  ['conditions in a script', `script: |\n${'  x = a ? b : c; y = [1, 2]\n'.repeat(500)}`],
  ['a long list', '- name: a\n'.repeat(5_000)],
])('lets pass: %s', (_, text) => {
  expect(isNestedTooDeeply(text)).toBe(false);
});
