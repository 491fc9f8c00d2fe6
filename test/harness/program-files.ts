import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TarEntry } from '../../tools/image/tar.ts';
import { run } from './run.ts';

const searched = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];

const locate = (program: string): string => {
  if (program === 'node') return process.execPath;
  const found = searched.map((folder) => join(folder, program)).find(existsSync);
  if (found === undefined) throw new Error(`${program} is not installed: it is in none of ${searched.join(', ')}`);
  return found;
};

/** The libraries that the loader would load for a program. */
const librariesOf = async (path: string): Promise<readonly string[]> =>
  [...(await run('ldd', [path])).matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library);

/** Programs of this machine in /usr/bin of an image, with the libraries that they load. */
export async function programFiles(programs: readonly string[]): Promise<readonly TarEntry[]> {
  const copied = programs.map((program) => ({ from: locate(program), to: `usr/bin/${program}` }));
  const libraries = new Set((await Promise.all(copied.map(({ from }) => librariesOf(from)))).flat());
  const all = [...copied, ...[...libraries].map((path) => ({ from: path, to: path.slice(1) }))];
  return Promise.all(all.map(async ({ from, to }) => ({ path: to, content: await readFile(from) })));
}

const parentsOf = (path: string): readonly string[] =>
  path.includes('/') ? [...parentsOf(dirname(path)), dirname(path)] : [];

/** The same files, after the folders that they lie in. */
export const withFolders = (files: readonly TarEntry[]): readonly TarEntry[] => [
  ...[...new Set(files.flatMap(({ path }) => parentsOf(path)))].map((path) => ({ path })),
  ...files,
];
