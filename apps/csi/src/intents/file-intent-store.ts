import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import { decodeIntent, encodeIntent } from './intent-codec.ts';
import type { IntentStore, VolumeIntent } from './volume-intent.ts';

const suffix = '.json';

const isMissing = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'ENOENT';

const unreadable = (path: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'Internal',
    message: `the intent file ${path} cannot be read`,
    remedy:
      'The file names a volume that was being created. Check in vCenter whether that volume exists, then delete the file.',
    cause,
  });

// Written to a temporary file, flushed and renamed: a crash leaves either the old or the new file, never a partial one.
const writeDurably = async (path: string, content: string): Promise<void> => {
  const aside = `${path}.new`;
  const file = await open(aside, 'w');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, path);
};

/** One file per intent in a directory: for running the driver without a cluster (csi-sanity, benchmarks). */
export const createFileIntentStore = (folder: string): IntentStore => {
  const pathOf = (name: string) => join(folder, createHash('sha256').update(name).digest('hex').slice(0, 40) + suffix);
  const read = async (path: string): Promise<VolumeIntent | undefined> => {
    const text = await readFile(path, 'utf8').catch((error) => {
      if (isMissing(error)) return undefined;
      throw unreadable(path, error);
    });
    if (text === undefined) return undefined;
    try {
      return decodeIntent(JSON.parse(text));
    } catch (error) {
      throw unreadable(path, error);
    }
  };

  return {
    get: (name) => read(pathOf(name)),
    put: async (intent) => {
      await mkdir(folder, { recursive: true });
      await writeDurably(pathOf(intent.name), `${JSON.stringify(encodeIntent(intent), null, 2)}\n`);
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    list: async () => {
      const files = await readdir(folder).catch((error) => (isMissing(error) ? [] : Promise.reject(error)));
      const intents = await Promise.all(
        files.filter((file) => file.endsWith(suffix)).map((file) => read(join(folder, file))),
      );
      return intents.filter((intent) => intent !== undefined);
    },
  };
};
