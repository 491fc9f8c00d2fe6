import { stat } from 'node:fs/promises';

/** `8:16` of a device file, as the mount table writes it. */
export const deviceNumber = async (path: string): Promise<string> => {
  const { rdev } = await stat(path, { bigint: true });
  // The layout of glibc's makedev(): 12 bits of the major number and 8 of the minor in the middle, the rest above.
  const major = ((rdev >> 8n) & 0xfffn) | ((rdev >> 32n) & 0xfffff000n);
  const minor = (rdev & 0xffn) | ((rdev >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
};
