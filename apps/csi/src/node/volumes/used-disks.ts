import { access, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Records which attached disks this node has used: the publish context is valid only until the first use. */
export interface UsedDisks {
  /** The record is on the node's own disk when this returns. Records of detached disks are removed: their next attachment is not the first one. */
  remember(diskUuid: string, attached: () => Promise<readonly string[]>): Promise<void>;
  has(diskUuid: string): Promise<boolean>;
}

const nameOf = (diskUuid: string): string => diskUuid.replaceAll('-', '').toLowerCase();

/** Stores the records in a directory on the node: they survive a restart of the process and a crash of the node. */
export const createUsedDisks = (folder: string): UsedDisks => {
  const has = (diskUuid: string): Promise<boolean> =>
    access(join(folder, nameOf(diskUuid))).then(
      () => true,
      // Only if the record certainly does not exist, the disk was never used.
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
      // In this order: a disk that already has a record is then included in the list of attached disks, which is read later.
      const names = await readdir(folder);
      const kept = new Set([diskUuid, ...(await attached())].map(nameOf));
      for (const name of names) if (!kept.has(name)) await rm(join(folder, name), { force: true });
    },
  };
};
