import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Remembers which disk was staged at which path: once it is unmounted, nothing else tells, and whether it is still in use is to be asked of it. */
export interface StagedDisks {
  remember(stagingPath: string, diskUuid: string): Promise<void>;
  recall(stagingPath: string): Promise<string | undefined>;
  forget(stagingPath: string): Promise<void>;
}

/** Notes in a folder of the driver's own on the node: they outlive the process. */
export const createStagedDisks = (folder: string): StagedDisks => {
  const noteOf = (stagingPath: string): string =>
    join(folder, `${createHash('sha256').update(stagingPath).digest('hex').slice(0, 32)}.json`);
  return {
    remember: async (stagingPath, diskUuid) => {
      const note = noteOf(stagingPath);
      await mkdir(dirname(note), { recursive: true, mode: 0o750 });
      // In one piece, whenever the process is killed.
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
      const text = await readFile(noteOf(stagingPath), 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const note = JSON.parse(text) as { readonly stagingPath?: unknown; readonly diskUuid?: unknown };
      return note.stagingPath === stagingPath && typeof note.diskUuid === 'string' ? note.diskUuid : undefined;
    },
    forget: (stagingPath) => rm(noteOf(stagingPath), { force: true }),
  };
};
