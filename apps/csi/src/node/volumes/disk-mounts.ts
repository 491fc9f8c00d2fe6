import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, numberOf } from '@vdo/linux-disks/disk';
import { hasOwnNumber, numberOfSource } from '@vdo/linux-disks/disk-of-mount';
import { doublesOf, type MountEntry } from '@vdo/linux-disks/mount-table';
import { shownDevice } from './volume-stats.ts';

/** A mount that shows a disk: the files on it, or the device itself. */
export interface DiskMount extends MountEntry {
  readonly shows: 'files' | 'device';
}

/** What keeps device files: looking at one of these never waits. */
const inMemory = new Set(['devtmpfs', 'tmpfs']);

const howShown = async ({ number, name, path }: Disk, entry: MountEntry): Promise<DiskMount['shows'] | undefined> => {
  const { device, root, source, fsType } = entry;
  if (device === number) return 'files';
  if (hasOwnNumber(entry) && (source === path || (await numberOfSource(entry)) === number)) return 'files';
  // Anybody may call a folder like a disk, but not in here.
  if (fsType === 'devtmpfs' && root === `/${name}`) return 'device';
  // A device file that was made anew is bound without its name, and still leads to the disk.
  const shown = inMemory.has(fsType) ? await shownDevice(entry) : undefined;
  return shown !== undefined && numberOf(shown) === number ? 'device' : undefined;
};

/** Those of the mounts that show the disk. */
export const mountsOf = async (entries: readonly MountEntry[], disk: Disk): Promise<readonly DiskMount[]> => {
  const found = entries.map(async (entry) => {
    const shows = await howShown(disk, entry);
    return shows ? [{ ...entry, shows }] : [];
  });
  return (await Promise.all(found)).flat();
};

/** Mounts of a disk, except at the given path, and what comes and goes with what is there. */
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

/** Refuses a disk that is shown the other way already: whoever has it raw writes below the file system of the other. */
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
