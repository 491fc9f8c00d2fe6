import { expect, it } from 'vitest';
import { read, sources } from '../docs/repository.ts';

const reader = 'packages/base/src/yaml.ts';
/** What turns a text into nodes or values, however it is imported. */
const parsers = /\b(parse|parseDocument|parseAllDocuments|Parser|Composer)\b/;

const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/import ([^;]{1,400}) from 'yaml'|import\('(?:js-)?yaml'\)|from '(?:js-yaml)'/g)].map(
    ([whole]) => whole,
  );

it('YAML of others is read by one reader, whose cost has a bound', () => {
  const files = sources().filter((file) =>
    importsOf(read(file)).some((found) => parsers.test(found) || /\(|js-/.test(found)),
  );
  expect(files).toEqual([reader]);
});
