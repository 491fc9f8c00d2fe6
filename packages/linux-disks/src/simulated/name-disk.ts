import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface NamedDisk {
  readonly sysfsRoot: string;
  readonly devRoot: string;
  /** The device, or the file that stands for one. */
  readonly path: string;
  readonly diskUuid: string;
}

const blockFolder = ({ sysfsRoot, path }: NamedDisk): string => join(sysfsRoot, 'block', basename(path));

/** Lets a device be found by the UUID of a virtual disk, below a sysfs and a /dev of its own: what the kernel says of the disks of a VM. */
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

/** Takes the name away: the disk is not attached any more. */
export const forgetDisk = async (disk: NamedDisk): Promise<void> => {
  await rm(blockFolder(disk), { recursive: true, force: true });
  await rm(join(disk.devRoot, basename(disk.path)), { force: true });
};
