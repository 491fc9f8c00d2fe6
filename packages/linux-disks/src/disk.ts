import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A block device of this machine. */
export interface Disk {
  /** `/dev/sdb`, links resolved. */
  readonly path: string;
  /** `sdb`. */
  readonly name: string;
  /** The kernel's device number, such as `8:16`. */
  readonly number: string;
}

export interface DiskOptions {
  readonly sysfsRoot: string;
}

const sectorBytes = 512n;

/** `8:16` from the device number of stat(). */
export const numberOf = (rdev: number): string => `${(rdev >> 8) & 0xfff}:${(rdev & 0xff) | ((rdev >> 12) & 0xfff00)}`;

/** A property of a disk from sysfs; empty if it is missing. */
export const diskFact = async (
  name: string,
  fact: 'dev' | 'size' | 'ro' | 'device/wwid',
  { sysfsRoot }: DiskOptions,
): Promise<string> => {
  const folder = fact === 'device/wwid' ? 'block' : 'class/block';
  return (await readFile(join(sysfsRoot, folder, name, fact), 'utf8').catch(() => '')).trim();
};

/** The size that the kernel knows. It is outdated after vCenter expanded the disk, until the device is rescanned. */
export const diskSizeBytes = async ({ name }: Pick<Disk, 'name'>, { sysfsRoot }: DiskOptions): Promise<bigint> => {
  const sectors = await readFile(join(sysfsRoot, 'class/block', name, 'size'), 'utf8');
  return BigInt(sectors.trim()) * sectorBytes;
};
