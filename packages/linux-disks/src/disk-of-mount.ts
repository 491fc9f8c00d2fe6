import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Disk, diskFact, numberOf } from './disk.ts';
import { diskByNumber } from './disk-by-number.ts';
import type { MountEntry } from './mount-table.ts';

/** btrfs and what is in no file system of a disk at all have numbers that no disk has. */
export const hasOwnNumber = ({ device }: MountEntry): boolean => device.startsWith('0:');

/** The number of the device that a btrfs was mounted from, by whatever name; undefined if that leads nowhere. */
export const numberOfSource = async ({ fsType, source }: MountEntry): Promise<string | undefined> => {
  if (fsType !== 'btrfs' || !source.startsWith('/')) return undefined;
  const kind = await stat(source).catch(() => undefined);
  return kind?.isBlockDevice() ? numberOf(kind.rdev) : undefined;
};

/**
 * The disk behind a mount; undefined if it is gone. btrfs has device numbers of its own, so its source is what counts: the kernel gives
 * a name to nobody else while a file system is mounted from it.
 */
export const diskOfMount = async (
  entry: MountEntry,
  options: { readonly sysfsRoot: string; readonly devRoot: string },
): Promise<Disk | undefined> => {
  const { device, source } = entry;
  if (!hasOwnNumber(entry)) return diskByNumber(device, options).catch(() => undefined);
  if (!source.startsWith('/')) return undefined;
  const name = basename(source);
  const number = await diskFact(name, 'dev', options);
  if (number !== '') return { path: source, name, number };
  const reported = await numberOfSource(entry);
  return reported === undefined ? undefined : diskByNumber(reported, options).catch(() => undefined);
};
