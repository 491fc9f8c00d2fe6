import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk, DiskOptions } from './disk.ts';

/**
 * Loop devices that stand on a disk. They keep it open without claiming it, whatever is mounted from them. Those that were made under
 * another name of the disk, as in a container, are not found.
 */
export const loopsOn = async ({ path, name }: Disk, { sysfsRoot }: DiskOptions): Promise<readonly string[]> => {
  const folder = join(sysfsRoot, 'class/block');
  const loops = (await readdir(folder).catch(() => [])).filter((entry) => /^loop\d+$/.test(entry));
  const isOn = async (loop: string): Promise<boolean> => {
    const backing = await readFile(join(folder, loop, 'loop/backing_file'), 'utf8').catch(() => '');
    return [path, `/dev/${name}`].includes(backing.trimEnd());
  };
  const found = await Promise.all(loops.map(isOn));
  return loops.filter((_, index) => found[index]);
};
