import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { mutations } from '../stories/operator/mutations.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');

/** A test and the modules beside it that it imports: rows of tables are often there. */
const withNeighbours = async (test: string): Promise<string> => {
  const text = await read(test);
  const paths = [...text.matchAll(/from '(\.\.?\/[^']+\.ts)'/g)].map(([, path = '']) => join(dirname(test), path));
  return [text, ...(await Promise.all(paths.map(read)))].join('\n');
};

// The mutations are planted in the long tier. What was renamed or moved since must be red before that.
describe('a fault that is planted into the operator', () => {
  it.each(mutations.map((mutation) => [mutation.fault, mutation] as const))(
    'has its place: %s',
    async (_fault, { file, search }) => {
      expect((await read(file)).split(search)).toHaveLength(2);
    },
  );

  it.each(mutations.map((mutation) => [mutation.fault, mutation] as const))(
    'has its test: %s',
    async (_fault, { test, name }) => {
      // Titles of tables are put together from parts.
      const text = await withNeighbours(test);
      const words = name
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
        .split(' ');
      expect(words.filter((word) => !text.includes(word))).toEqual([]);
    },
  );
});
