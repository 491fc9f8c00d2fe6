import { isVdoError } from '@vdo/base/vdo-error';
import { type Disk, diskFact } from '@vdo/linux-disks/disk';
import { staysClaimed } from '@vdo/linux-disks/disk-handle';
import { diskOfMount } from '@vdo/linux-disks/disk-of-mount';
import { findDisk } from '@vdo/linux-disks/find-disk';
import { loopsOn } from '@vdo/linux-disks/loops-on';
import type { MountEntry } from '@vdo/linux-disks/mount-table';
import { runOrThrow } from '@vdo/linux-disks/run-command';
import { liftProtection } from './device-access.ts';
import { inUse, mountsElsewhere } from './disk-mounts.ts';
import type { NodeVolumeDeps } from './node-volumes.ts';
import { removeMountPoint } from './unmount-path.ts';

/** The disk that an earlier call staged here, if it is still attached. */
const recalled = async (path: string, deps: NodeVolumeDeps, signal: AbortSignal): Promise<Disk | undefined> => {
  const diskUuid = await deps.stagedDisks?.recall(path);
  if (diskUuid === undefined) return undefined;
  return findDisk(diskUuid, { ...deps, signal, timeoutMs: 0 }).catch((error: unknown) => {
    if (isVdoError(error, 'NodeDiskNotFound')) return undefined;
    throw error;
  });
};

/**
 * Volumes that an older version or another driver staged have no note yet, and that of another volume which was refused here is no use;
 * after the unmount it would be too late.
 */
const noteDisk = async (path: string, disk: Disk, { stagedDisks, sysfsRoot }: NodeVolumeDeps): Promise<void> => {
  const wwid = await diskFact(disk.name, 'device/wwid', { sysfsRoot });
  if (!wwid.startsWith('naa.')) return;
  const diskUuid = wwid.slice('naa.'.length);
  // A note that cannot be read is written anew.
  const noted = await stagedDisks?.recall(path).catch(() => undefined);
  if (noted?.replaceAll('-', '').toLowerCase() !== diskUuid) await stagedDisks?.remember(path, diskUuid);
};

/** The kernel may take as long as for an unmount to write what is in memory. */
const flushLimitMs = 100_000;

/** What a pod wrote to a raw device is in memory as long as anybody has the device open; once the disk is detached it is lost. */
const flush = async ({ path }: Disk, { run }: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  await runOrThrow(run, 'blockdev', ['--flushbufs', path], { signal, limitMs: flushLimitMs });
};

const targetsOf = (mounts: readonly MountEntry[]): string => mounts.map(({ target }) => target).join(', ');

/** Unmounts a volume for good. Succeeds only when nothing of its disk is in use any more: the controller detaches it then. */
export const unstageVolume = async (asked: string, deps: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  const { mounter, clock } = deps;
  const path = await mounter.place(asked, { signal });
  const mounted = await mounter.at(path, { signal });
  const disk = mounted ? await diskOfMount(mounted, deps) : await recalled(path, deps, signal);
  if (disk) {
    await noteDisk(path, disk, deps);
    const others = await mountsElsewhere(await mounter.list({ signal }), disk, path);
    if (others.length > 0) throw inUse(disk, `mounted at ${targetsOf(others)}`);
  }
  await mounter.unmount(path, { signal });
  // Mounts of other namespaces, lazily unmounted ones, and whoever keeps a file of those open: the kernel alone knows.
  if (disk && (await staysClaimed(disk.path, { clock, signal })))
    throw inUse(
      disk,
      'the kernel says that its file system is mounted somewhere, though not where this process can see it',
    );
  const loops = disk ? await loopsOn(disk, deps) : [];
  if (disk && loops.length > 0) throw inUse(disk, `${loops.join(', ')} stands on it`);
  if (disk) await flush(disk, deps, signal);
  if (disk) await liftProtection(disk, deps, signal);
  await removeMountPoint(path);
  await deps.stagedDisks?.forget(path);
};
