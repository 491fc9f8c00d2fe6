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

/** All that is mounted at a path, one over the other, and stands on a disk. */
const disksAt = async (path: string, deps: NodeVolumeDeps, signal: AbortSignal): Promise<readonly Disk[]> => {
  const top = await deps.mounter.at(path, { signal });
  if (!top) return [];
  const all = (await deps.mounter.list({ signal })).filter(({ target }) => target === path);
  const disks = await Promise.all([...all, top].map((entry) => diskOfMount(entry, deps)));
  return [...new Map(disks.flatMap((disk) => (disk ? [[disk.number, disk] as const] : []))).values()];
};

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
const noteDisk = async (
  path: string,
  disks: readonly Disk[],
  { stagedDisks, sysfsRoot }: NodeVolumeDeps,
): Promise<void> => {
  const wwids = await Promise.all(disks.map(({ name }) => diskFact(name, 'device/wwid', { sysfsRoot })));
  const diskUuids = wwids.flatMap((wwid) => (wwid.startsWith('naa.') ? [wwid.slice('naa.'.length)] : []));
  const top = diskUuids.at(-1);
  if (top === undefined) return;
  // A note that cannot be read is written anew.
  const noted = (await stagedDisks?.recall(path).catch(() => undefined)) ?? '';
  if (!diskUuids.includes(noted.replaceAll('-', '').toLowerCase())) await stagedDisks?.remember(path, top);
};

/** The kernel may take as long as for an unmount to write what is in memory. */
const flushLimitMs = 100_000;

/** What a pod wrote to a raw device is in memory as long as anybody has the device open; once the disk is detached it is lost. */
const flush = async ({ path }: Disk, { run }: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  await runOrThrow(run, 'blockdev', ['--flushbufs', path], { signal, limitMs: flushLimitMs });
};

const targetsOf = (mounts: readonly MountEntry[]): string => mounts.map(({ target }) => target).join(', ');

/** Throws if anybody uses the disk, though nothing of it is mounted at the staging path any more. */
const assertLetGo = async (disk: Disk, deps: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  // Mounts of other namespaces, lazily unmounted ones, and whoever keeps a file of those open: the kernel alone knows.
  if (await staysClaimed(disk.path, { clock: deps.clock, signal }))
    throw inUse(disk, 'the kernel reports that its file system is still mounted, but this process cannot see where');
  const loops = await loopsOn(disk, { ...deps, signal });
  if (loops.length > 0) throw inUse(disk, `${loops.join(', ')} uses it`);
};

/** Unmounts a volume for good. Succeeds only when nothing of its disk is in use any more: the controller detaches it then. */
export const unstageVolume = async (asked: string, deps: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  const { mounter } = deps;
  const path = await mounter.place(asked, { signal });
  const mounted = await disksAt(path, deps, signal);
  // What hides the volume, or has taken its place, says nothing about its disk.
  const disks = mounted.length > 0 ? mounted : [await recalled(path, deps, signal)].flatMap((disk) => disk ?? []);
  const entries = disks.length > 0 ? await mounter.list({ signal }) : [];
  await noteDisk(path, disks, deps);
  for (const disk of disks) {
    const others = await mountsElsewhere(entries, disk, path);
    if (others.length > 0) throw inUse(disk, `mounted at ${targetsOf(others)}`);
  }
  await mounter.unmount(path, { signal });
  for (const disk of disks) {
    await assertLetGo(disk, deps, signal);
    await flush(disk, deps, signal);
    await liftProtection(disk, deps, signal);
  }
  await removeMountPoint(path);
  await deps.stagedDisks?.forget(path);
};
