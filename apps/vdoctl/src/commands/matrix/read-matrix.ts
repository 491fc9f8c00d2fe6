import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { type Matrix, parseMatrix } from '@vdo/releases/matrix';
import type { MatrixSourceFlags } from './commands.ts';

/** The matrix of the flags: a file, else the built-in one. */
export const readMatrix = async ({ file }: MatrixSourceFlags): Promise<{ matrix: Matrix; source: string }> => {
  if (file === undefined) return { matrix: loadEmbeddedMatrix(), source: 'built into vdoctl' };
  try {
    return { matrix: parseMatrix(await readFile(file, 'utf8'), file), source: file };
  } catch (error) {
    if (error instanceof VdoError) throw error;
    throw new VdoError({
      code: 'ConfigMissing',
      message: `cannot read the matrix ${file}: ${error instanceof Error ? error.message : String(error)}`,
      remedy: 'Name a readable file with --file, or leave it out to use the built-in matrix.',
      cause: error,
    });
  }
};
