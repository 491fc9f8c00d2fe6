import { type Disk, diskOf } from './disk.ts';
import { diskByNumber } from './disk-by-number.ts';
import type { MountEntry } from './mount-table.ts';

/** The disk behind a mount; undefined if it is gone. btrfs has device numbers of its own, so its source is what counts. */
export const diskOfMount = async (
  { device, source }: MountEntry,
  options: { readonly sysfsRoot: string },
): Promise<Disk | undefined> => {
  const found = device.startsWith('0:') && source.startsWith('/') ? diskOf(source) : diskByNumber(device, options);
  return found.catch(() => undefined);
};
