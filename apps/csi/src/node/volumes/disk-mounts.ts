import { VdoError } from '@vdo/base/vdo-error';
import type { Disk } from '@vdo/linux-disks/disk';
import type { MountEntry } from '@vdo/linux-disks/mount-table';

/** True if a mount shows the disk: its file system, or the device itself. btrfs has numbers of its own. */
export const showsDisk =
  ({ number, name, path }: Disk) =>
  ({ device, root, source }: MountEntry): boolean =>
    device === number || root === `/${name}` || (device.startsWith('0:') && source === path);

/** Mounts of a disk, except at the given path. */
export const mountsElsewhere = (entries: readonly MountEntry[], disk: Disk, path: string): readonly MountEntry[] =>
  entries.filter((entry) => entry.target !== path && showsDisk(disk)(entry));

export const inUse = ({ path, number }: Disk, seen: string): VdoError =>
  new VdoError({
    code: 'NodeDiskInUse',
    message: `${path} (${number}) is still in use: ${seen}; it must not be detached yet`,
    remedy: `It is tried again until nobody uses it. grep ${number} /proc/*/mountinfo, fuser --verbose ${path} and lsblk ${path} on the node show who does.`,
  });
