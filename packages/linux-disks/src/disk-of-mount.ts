import { basename } from 'node:path';
import { type Disk, diskFact } from './disk.ts';
import { diskByNumber } from './disk-by-number.ts';
import type { MountEntry } from './mount-table.ts';

/**
 * The disk behind a mount; undefined if it is gone. btrfs has device numbers of its own, so its source is what counts: the kernel gives
 * a name to nobody else while a file system is mounted from it.
 */
export const diskOfMount = async (
  { device, source }: MountEntry,
  options: { readonly sysfsRoot: string; readonly devRoot: string },
): Promise<Disk | undefined> => {
  if (!device.startsWith('0:')) return diskByNumber(device, options).catch(() => undefined);
  if (!source.startsWith('/')) return undefined;
  const name = basename(source);
  const number = await diskFact(name, 'dev', options);
  return number === '' ? undefined : { path: source, name, number };
};
