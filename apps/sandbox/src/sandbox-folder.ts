import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';

export interface SandboxFolder {
  readonly path: string;
  remove(): Promise<void>;
}

const neededMb = 200;
export const sandboxFolderPrefix = 'vdo-';

const unusable = (parent: string, cause: unknown): VdoError => {
  const { code = '', message = String(cause) } = cause as NodeJS.ErrnoException;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new VdoError({
    code: 'SandboxFolderUnusable',
    message: full ? `the disk of ${parent} is full` : `cannot write to ${parent}: ${message}`,
    remedy: `Use a writable folder with ${neededMb} MB of free space: TMPDIR=/path/to/folder vdoctl sandbox.`,
    cause,
  });
};

/** Creates the folder for all files of a sandbox. Throws VdoError SandboxFolderUnusable if it cannot. */
export const makeSandboxFolder = async (
  parent: string,
  freeMb: (path: string) => Promise<number> = async (path) => {
    const { bavail, bsize } = await statfs(path);
    return Math.floor((bavail * bsize) / 2 ** 20);
  },
): Promise<SandboxFolder> => {
  try {
    const free = await freeMb(parent);
    if (free < neededMb)
      throw new VdoError({
        code: 'SandboxFolderUnusable',
        message: `${parent} has ${free} MB of free space, expected at least ${neededMb} MB`,
        remedy: `Free some space, or use another folder: TMPDIR=/path/to/folder vdoctl sandbox.`,
      });
    const path = await mkdtemp(join(parent, sandboxFolderPrefix));
    return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
  } catch (error) {
    throw error instanceof VdoError ? error : unusable(parent, error);
  }
};
