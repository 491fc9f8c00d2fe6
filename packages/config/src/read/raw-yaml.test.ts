import { expect, it } from 'vitest';
import { createProblemList } from '../problems.ts';
import { readRawYaml } from './raw-yaml.ts';

const problemsOf = (text: string): readonly string[] => {
  const problems = createProblemList();
  readRawYaml(text, problems);
  return problems.all.map(({ field, message }) => `${field} ${message}`);
};

it.each([
  ['brackets without an end', '['.repeat(200_000)],
  ['brackets', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ['braces', `${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ['lists in lists', `${'- '.repeat(5_000)}a`],
  ['keys of keys', `${'? '.repeat(5_000)}a`],
  ['34 levels', `${'{a: '.repeat(34)}1${'}'.repeat(34)}`],
])('names what is nested too deeply: %s', (_what, text) => {
  const [first, ...others] = problemsOf(text);
  expect(first).toMatch(/^YAML /);
  expect(first).not.toMatch(/call stack/);
  expect(others.length).toBeLessThan(5);
});

it('reads 32 levels without a problem, and refuses a key that is not text', () => {
  expect(problemsOf(`${'{a: '.repeat(31)}1${'}'.repeat(31)}`)).toEqual([]);
  expect(problemsOf('? [a, b]\n: c\n')).toEqual(['YAML a key is a list or a map; it must be a string']);
});
