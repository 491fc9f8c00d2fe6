import { access, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Remembers which of the attached disks this node has used: what their attachment says of them holds until then only. */
export interface UsedDisks {
  /** On the node's own disk when it returns. Notes of disks that are gone are dropped: their next attachment is not the first. */
  remember(diskUuid: string, attached: () => Promise<readonly string[]>): Promise<void>;
  has(diskUuid: string): Promise<boolean>;
}

const nameOf = (diskUuid: string): string => diskUuid.replaceAll('-', '').toLowerCase();

/** Notes in a folder of the driver's own on the node: they outlive the process, and a crash of the node. */
export const createUsedDisks = (folder: string): UsedDisks => {
  const has = (diskUuid: string): Promise<boolean> =>
    access(join(folder, nameOf(diskUuid))).then(
      () => true,
      // Only what is certainly not there was never used.
      ({ code }: { readonly code?: string }) => code !== 'ENOENT',
    );
  const writeDown = async (path: string, flags: string): Promise<void> => {
    const file = await open(path, flags, 0o640);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  };
  return {
    has,
    remember: async (diskUuid, attached) => {
      if (await has(diskUuid)) return;
      await mkdir(folder, { recursive: true, mode: 0o750 });
      await writeDown(join(folder, nameOf(diskUuid)), 'a');
      await writeDown(folder, 'r');
      // In this order: a disk that has a note by now is among those that are asked for after it.
      const names = await readdir(folder);
      const kept = new Set([diskUuid, ...(await attached())].map(nameOf));
      for (const name of names) if (!kept.has(name)) await rm(join(folder, name), { force: true });
    },
  };
};
