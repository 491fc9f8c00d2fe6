import { readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Disk } from './disk.ts';

/** The disk behind a device number, given as `8:16` or as stat() gives it. */
export const diskByNumber = async (
  number: string | number,
  { sysfsRoot }: { readonly sysfsRoot: string },
): Promise<Disk> => {
  const key =
    typeof number === 'string' ? number : `${(number >> 8) & 0xfff}:${(number & 0xff) | ((number >> 12) & 0xfff00)}`;
  const name = basename(await readlink(join(sysfsRoot, 'dev/block', key)));
  return { path: `/dev/${name}`, name };
};
