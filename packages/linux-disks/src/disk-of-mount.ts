import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Disk, diskFact, numberOf } from './disk.ts';
import { diskByNumber } from './disk-by-number.ts';
import type { MountEntry } from './mount-table.ts';

/** btrfs, and file systems without a disk, have device numbers that no disk has. */
export const hasOwnNumber = ({ device }: MountEntry): boolean => device.startsWith('0:');

/** The number of the device that a btrfs was mounted from, under any name; undefined if the name no longer exists. */
export const numberOfSource = async ({ fsType, source }: MountEntry): Promise<string | undefined> => {
  if (fsType !== 'btrfs' || !source.startsWith('/')) return undefined;
  const kind = await stat(source).catch(() => undefined);
  return kind?.isBlockDevice() ? numberOf(kind.rdev) : undefined;
};

/**
 * The disk of a mount; undefined if it was removed. btrfs has its own device numbers, so its source is used instead: the kernel does not
 * reuse a device name while a file system is mounted from it.
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
