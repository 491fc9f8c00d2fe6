import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { VdoError } from '@vdo/base/vdo-error';
import { type MountEntry, mountAt } from '../mount-table.ts';
import type { Mounter, MountRequest } from '../mounter.ts';

export interface SimulatedMounterOptions {
  /** The present mounts. They remain after the process that made them ended, like those of a kernel. */
  readonly tableFile: string;
  /** The sysfs directory: `class/block/<disk>/dev` has the number of a disk. */
  readonly sysfsRoot: string;
}

const noShares = ({ source, fsType }: MountRequest): VdoError =>
  new VdoError({
    code: 'Unimplemented',
    message: `${source} (${fsType}) cannot be mounted: only disks are simulated`,
    remedy: 'Use a volume for one node (ReadWriteOnce), or mount it on a real node.',
  });

const readTable = (file: string): MountEntry[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as MountEntry[]) : [];

/**
 * Mounts without privileges: the target becomes a link to a directory with the content of the disk. Data that pods write
 * there is available wherever the disk is mounted next.
 */
export const createSimulatedMounter = ({ tableFile, sysfsRoot }: SimulatedMounterOptions): Mounter => {
  const mounts = readTable(tableFile);
  // Atomic: if the process is killed right after, the mount either exists or does not.
  const save = (): void => {
    writeFileSync(`${tableFile}.new`, JSON.stringify(mounts));
    renameSync(`${tableFile}.new`, tableFile);
  };
  const numberOf = async (disk: string): Promise<string> =>
    (await readFile(join(sysfsRoot, 'class/block', basename(disk), 'dev'), 'utf8')).trim();
  const linkTo = async (place: string, target: string): Promise<void> => {
    await rm(target, { recursive: true, force: true });
    await symlink(place, target);
  };

  return {
    // Targets are links here, so links cannot be refused.
    place: async (path) => resolve(path),
    // It cannot be checked whether the UUID is unique: in a simulated vCenter, two disks of a VM may have the same UUID.
    list: async () => [],
    at: async (target) => mountAt(mounts, target),
    mount: async (request) => {
      const { source, target, fsType, options } = request;
      if (!isAbsolute(source)) throw noShares(request);
      const staged = mountAt(mounts, source);
      if (staged) {
        await linkTo(await realpath(source), target);
        mounts.push({ ...staged, target, options: options.length > 0 ? options : ['rw'] });
        return save();
      }
      const isDevice = fsType === 'bind';
      const place = isDevice ? source : `${source}.content`;
      const device = await numberOf(source);
      if (!isDevice) await mkdir(place, { recursive: true });
      await linkTo(place, target);
      const root = isDevice ? `/${basename(source)}` : '/';
      mounts.push({ device, root, target, options, fsType, source, superOptions: [] });
      return save();
    },
    remountReadOnly: async (target) => {
      const index = mounts.findLastIndex((entry) => entry.target === target);
      const entry = mounts[index];
      if (entry) mounts[index] = { ...entry, options: ['ro'] };
      return save();
    },
    unmount: async (target) => {
      if (!mountAt(mounts, target)) return;
      const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() ?? true;
      // All stacked mounts, like the kernel's mounter.
      mounts.splice(0, mounts.length, ...mounts.filter((entry) => entry.target !== target));
      save();
      await rm(target, { force: true });
      // The directory that the mount had covered; it is empty.
      if (isFolder) await mkdir(target, { recursive: true });
    },
  };
};
