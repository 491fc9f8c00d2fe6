import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { every } from '@vdo/base/async/every';
import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { isObject } from '../json.ts';
import type { Store, StoreSnapshot } from './store.ts';

const fileIn = (folder: string): string => join(folder, 'cluster.json');

const unreadable = (file: string, observed: string, cause?: unknown): VdoError =>
  new VdoError({
    code: 'ConfigInvalid',
    message: `cannot continue from the snapshot ${file}: ${observed}`,
    remedy: `Use the directory of a snapshot, or remove ${file} to start with an empty cluster.`,
    cause,
  });

/** The state of an earlier server from a directory; undefined if there is none. */
export const readSnapshot = async (folder: string): Promise<StoreSnapshot | undefined> => {
  const file = fileIn(folder);
  try {
    const snapshot: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isObject(snapshot) && typeof snapshot['revision'] === 'number' && isObject(snapshot['buckets']))
      return snapshot as unknown as StoreSnapshot;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
    throw unreadable(file, error instanceof Error ? error.message : String(error), error);
  }
  throw unreadable(file, 'it has no revision or no objects');
};

export interface KeepSnapshotOptions {
  readonly store: Pick<Store, 'revision' | 'snapshot'>;
  readonly folder: string;
  readonly clock: Clock;
  /** How much of the latest changes a crash may lose; one second by default. */
  readonly everyMs?: number;
}

/** Writes the objects to a directory when they have changed, and once more at the end; atomically. */
export const keepSnapshot = async (options: KeepSnapshotOptions, signal: AbortSignal): Promise<void> => {
  const { store, folder, clock, everyMs = 1_000 } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let written = -1;
  const write = async (): Promise<void> => {
    const revision = store.revision();
    if (revision === written) return;
    const file = fileIn(folder);
    // The file contains Secrets.
    await writeFile(`${file}.new`, JSON.stringify(store.snapshot()), { mode: 0o600 });
    await rename(`${file}.new`, file);
    written = revision;
  };
  await every(write, { clock, periodMs: everyMs }, signal);
  await write();
};
