import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Contents of the files of a folder by name, such as a mounted Secret; undefined if there is no such folder. */
export const readFolder = async (path: string): Promise<Readonly<Record<string, string>> | undefined> => {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  // A mounted Secret holds its versions in folders whose names begin with two dots; the plain names link to them.
  const files = entries?.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('..'));
  if (!files) return undefined;
  const contents = files.map(async ({ name }) => [name, await readFile(join(path, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(contents));
};
