import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const linesOfEach = 5;

/** The last lines of each program's log, with a heading per file. */
export const tailLogs = async (folder: string): Promise<readonly string[]> => {
  const files = (await readdir(folder).catch(() => [])).sort();
  const tails = await Promise.all(
    files.map(async (file) => {
      const lines = (await readFile(join(folder, file), 'utf8')).trimEnd().split('\n');
      return [`--- ${file}`, ...lines.slice(-linesOfEach)];
    }),
  );
  return tails.flat();
};
