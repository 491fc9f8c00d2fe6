import { mkdir, realpath, rm, stat, symlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { type MountEntry, mountAt } from '@vdo/linux-disks/mount-table';
import type { Mounter } from '@vdo/linux-disks/mounter';

export interface SimulatedMounterOptions {
  /** `259:3` of a disk, by its path. */
  readonly numberOf: (disk: string) => string;
  /** Where the files on a disk are kept. */
  readonly contentOf: (disk: string) => string;
}

/**
 * Mounts for who may not mount: the target becomes a link to a folder that holds what is on the disk. Pods that write
 * there find it again wherever the disk is mounted next.
 */
export const createSimulatedMounter = (options: SimulatedMounterOptions): Mounter => {
  const mounts: MountEntry[] = [];
  const list: Mounter['list'] = async () => [...mounts];
  const at: Mounter['at'] = async (target) => mountAt(mounts, target);

  const linkTo = async (place: string, target: string): Promise<void> => {
    await rm(target, { recursive: true, force: true });
    await symlink(place, target);
  };

  return {
    list,
    at,
    mount: async ({ source, target, fsType, options: flags }) => {
      const staged = mountAt(mounts, source);
      const superOptions = staged?.superOptions ?? [];
      if (staged) {
        await linkTo(await realpath(source), target);
        mounts.push({ ...staged, target, options: flags.length > 0 ? flags : ['rw'], superOptions });
        return;
      }
      const isDevice = fsType === 'bind';
      const place = isDevice ? source : options.contentOf(source);
      if (!isDevice) await mkdir(place, { recursive: true });
      await linkTo(place, target);
      const root = isDevice ? `/${basename(source)}` : '/';
      mounts.push({ device: options.numberOf(source), root, target, options: flags, fsType, source, superOptions });
    },
    unmount: async (target) => {
      const index = mounts.findLastIndex((entry) => entry.target === target);
      if (index < 0) return;
      const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() ?? true;
      mounts.splice(index, 1);
      await rm(target, { force: true });
      // What the mount had covered: an empty folder.
      if (isFolder) await mkdir(target, { recursive: true });
    },
  };
};
