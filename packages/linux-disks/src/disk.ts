import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A block device of this machine. */
export interface Disk {
  /** `/dev/sdb`, links resolved. */
  readonly path: string;
  /** `sdb`. */
  readonly name: string;
  /** `8:16`, as the kernel counts. */
  readonly number: string;
}

export interface DiskOptions {
  readonly sysfsRoot: string;
}

const sectorBytes = 512n;

/** `8:16` of what stat() gives. */
export const numberOf = (rdev: number): string => `${(rdev >> 8) & 0xfff}:${(rdev & 0xff) | ((rdev >> 12) & 0xfff00)}`;

/** What the kernel tells of a disk; empty if it tells nothing. */
export const diskFact = async (
  name: string,
  fact: 'dev' | 'size' | 'ro' | 'device/wwid',
  { sysfsRoot }: DiskOptions,
): Promise<string> => {
  const folder = fact === 'device/wwid' ? 'block' : 'class/block';
  return (await readFile(join(sysfsRoot, folder, name, fact), 'utf8').catch(() => '')).trim();
};

/** Size as the kernel knows it: it lags behind vCenter until the device is scanned again. */
export const diskSizeBytes = async ({ name }: Pick<Disk, 'name'>, { sysfsRoot }: DiskOptions): Promise<bigint> => {
  const sectors = await readFile(join(sysfsRoot, 'class/block', name, 'size'), 'utf8');
  return BigInt(sectors.trim()) * sectorBytes;
};
