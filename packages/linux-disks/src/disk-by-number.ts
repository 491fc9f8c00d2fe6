import { readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Disk, numberOf } from './disk.ts';

/** The disk behind a device number, given as `8:16` or as stat() gives it. */
export const diskByNumber = async (
  number: string | number,
  { sysfsRoot, devRoot = '/dev' }: { readonly sysfsRoot: string; readonly devRoot?: string },
): Promise<Disk> => {
  const key = typeof number === 'string' ? number : numberOf(number);
  const name = basename(await readlink(join(sysfsRoot, 'dev/block', key)));
  return { path: join(devRoot, name), name, number: key };
};
