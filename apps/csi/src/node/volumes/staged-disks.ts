import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';

/** Records which disk was staged at which path. After the unmount nothing else shows this, and it must still be checked whether the disk is in use. */
export interface StagedDisks {
  remember(stagingPath: string, diskUuid: string): Promise<void>;
  /** Throws VdoError NodeDiskInUse if there is a record that cannot be read. */
  recall(stagingPath: string): Promise<string | undefined>;
  forget(stagingPath: string): Promise<void>;
}

const damaged = (note: string, stagingPath: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'NodeDiskInUse',
    message: `the disk that was staged at ${stagingPath} is not known, so it may still be in use: the file ${note}, which records it, cannot be read (${cause instanceof Error ? cause.message : String(cause)})`,
    remedy: `Make sure that nothing on the node still uses the volume's disk (lsblk, and grep for the disk's number in /proc/*/mountinfo). Then run rm ${note} on the node. The kubelet retries.`,
    cause,
  });

const readNote = (text: string, stagingPath: string): string => {
  const note = JSON.parse(text) as { readonly stagingPath?: unknown; readonly diskUuid?: unknown };
  if (note.stagingPath !== stagingPath || typeof note.diskUuid !== 'string')
    throw new Error('it belongs to another path');
  return note.diskUuid;
};

/** Stores the records in a directory on the node, so that they survive a restart. */
export const createStagedDisks = (folder: string): StagedDisks => {
  const noteOf = (stagingPath: string): string =>
    join(folder, `${createHash('sha256').update(stagingPath).digest('hex').slice(0, 32)}.json`);
  return {
    remember: async (stagingPath, diskUuid) => {
      const note = noteOf(stagingPath);
      await mkdir(dirname(note), { recursive: true, mode: 0o750 });
      // Written atomically, in case the process is killed.
      const file = await open(`${note}.new`, 'w', 0o640);
      try {
        await file.writeFile(`${JSON.stringify({ stagingPath, diskUuid })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${note}.new`, note);
    },
    recall: async (stagingPath) => {
      const note = noteOf(stagingPath);
      try {
        return readNote(await readFile(note, 'utf8'), stagingPath);
      } catch (error) {
        if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
        throw damaged(note, stagingPath, error);
      }
    },
    forget: (stagingPath) => rm(noteOf(stagingPath), { force: true }),
  };
};
