import { readFile, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A block device of this machine. */
export interface Disk {
  /** `/dev/sdb`, links resolved. */
  readonly path: string;
  /** `sdb`. */
  readonly name: string;
}

export interface DiskOptions {
  readonly sysfsRoot: string;
}

const sectorBytes = 512n;

/** The device behind a path, links followed. */
export const diskOf = async (path: string): Promise<Disk> => {
  const real = await realpath(path);
  return { path: real, name: basename(real) };
};

/** Size as the kernel knows it: it lags behind vCenter until the device is scanned again. */
export const diskSizeBytes = async ({ name }: Disk, { sysfsRoot }: DiskOptions): Promise<bigint> => {
  const sectors = await readFile(join(sysfsRoot, 'class/block', name, 'size'), 'utf8');
  return BigInt(sectors.trim()) * sectorBytes;
};
