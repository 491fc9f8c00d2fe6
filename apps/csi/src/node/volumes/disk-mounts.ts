import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, numberOf } from '@vdo/linux-disks/disk';
import { hasOwnNumber, numberOfSource } from '@vdo/linux-disks/disk-of-mount';
import { doublesOf, type MountEntry } from '@vdo/linux-disks/mount-table';
import { shownDevice } from './volume-stats.ts';

/** A mount of a disk: of its file system, or of the device itself. */
export interface DiskMount extends MountEntry {
  readonly shows: 'files' | 'device';
}

/** File systems that contain device files. To read one of these files never blocks. */
const inMemory = new Set(['devtmpfs', 'tmpfs']);

const howShown = async ({ number, name, path }: Disk, entry: MountEntry): Promise<DiskMount['shows'] | undefined> => {
  const { device, root, source, fsType } = entry;
  if (device === number) return 'files';
  if (hasOwnNumber(entry) && (source === path || (await numberOfSource(entry)) === number)) return 'files';
  // Elsewhere a directory may have the name of a disk, but not in these file systems.
  if (fsType === 'devtmpfs' && root === `/${name}`) return 'device';
  // A device file that was re-created is mounted under another name, but still refers to the disk.
  const shown = inMemory.has(fsType) ? await shownDevice(entry) : undefined;
  return shown !== undefined && numberOf(shown) === number ? 'device' : undefined;
};

/** The mounts of the disk. */
export const mountsOf = async (entries: readonly MountEntry[], disk: Disk): Promise<readonly DiskMount[]> => {
  const found = entries.map(async (entry) => {
    const shows = await howShown(disk, entry);
    return shows ? [{ ...entry, shows }] : [];
  });
  return (await Promise.all(found)).flat();
};

/** Mounts of a disk, except the one at the given path and its propagated copies. */
export const mountsElsewhere = async (
  entries: readonly MountEntry[],
  disk: Disk,
  path: string,
): Promise<readonly DiskMount[]> => {
  const doubles = new Set(doublesOf(entries, path));
  return mountsOf(
    entries.filter((entry) => entry.target !== path && !doubles.has(entry)),
    disk,
  );
};

/** Refuses a disk that is already used in the other way: writes to the raw device would damage the mounted file system. */
export const assertShownAs = (wanted: DiskMount['shows'], mounts: readonly DiskMount[], { path }: Disk): void => {
  const other = mounts.find(({ shows }) => shows !== wanted);
  if (!other) return;
  throw new VdoError({
    code: 'VolumeConflict',
    message: `${path} was requested ${wanted === 'files' ? 'with its file system, but it is already used as a raw device' : 'as a raw device, but its file system is already mounted'} at ${other.target}`,
    remedy:
      'A volume must not be used in both ways on a node. Wait until the other pod has ended, and check for PersistentVolumes with the same volumeHandle and another volumeMode.',
  });
};

export const inUse = ({ path, number }: Disk, seen: string): VdoError =>
  new VdoError({
    code: 'NodeDiskInUse',
    message: `${path} (${number}) is still in use: ${seen}; it must not be detached yet`,
    remedy: `The kubelet retries until the disk is no longer used. To see what uses it, run on the node: grep ${number} /proc/*/mountinfo, fuser --verbose ${path} and lsblk ${path}.`,
  });
