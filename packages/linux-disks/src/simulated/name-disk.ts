import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface NamedDisk {
  readonly sysfsRoot: string;
  readonly devRoot: string;
  /** The device, or the file that represents one. */
  readonly path: string;
  readonly diskUuid: string;
}

const blockFolder = ({ sysfsRoot, path }: NamedDisk): string => join(sysfsRoot, 'block', basename(path));

/** Makes a device available under the UUID of a virtual disk, in its own sysfs and /dev directories, like the kernel does for the disks of a VM. */
export const nameDisk = async (disk: NamedDisk): Promise<void> => {
  const { devRoot, path, diskUuid } = disk;
  await mkdir(devRoot, { recursive: true });
  const link = join(devRoot, basename(path));
  await rm(link, { force: true });
  await symlink(path, link);
  await mkdir(join(blockFolder(disk), 'device'), { recursive: true });
  const wwid = `naa.${diskUuid.replaceAll('-', '').toLowerCase()}`;
  await writeFile(join(blockFolder(disk), 'device/wwid'), `${wwid}\n`);
};

/** Removes the name: the disk is no longer attached. */
export const forgetDisk = async (disk: NamedDisk): Promise<void> => {
  await rm(blockFolder(disk), { recursive: true, force: true });
  await rm(join(disk.devRoot, basename(disk.path)), { force: true });
};
