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

/** All mounts at a path, stacked on each other, that belong to a disk. */
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
 * Records the disk of a volume that an older version or another driver staged. It has no record yet, or the record is that of another volume
 * that was refused here. After the unmount it would be too late.
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
  // A record that cannot be read is written again.
  const noted = (await stagedDisks?.recall(path).catch(() => undefined)) ?? '';
  if (!diskUuids.includes(noted.replaceAll('-', '').toLowerCase())) await stagedDisks?.remember(path, top);
};

/** To write cached data, the kernel may need as long as for an unmount. */
const flushLimitMs = 100_000;

/** Data that a pod wrote to a raw device may stay in memory while any process has the device open. It would be lost when the disk is detached. */
const flush = async ({ path }: Disk, { run }: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  await runOrThrow(run, 'blockdev', ['--flushbufs', path], { signal, limitMs: flushLimitMs });
};

const targetsOf = (mounts: readonly MountEntry[]): string => mounts.map(({ target }) => target).join(', ');

/** Throws if the disk is still used, although it is no longer mounted at the staging path. */
const assertLetGo = async (disk: Disk, deps: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  // Only the kernel knows of mounts in other namespaces, of lazily unmounted ones, and of processes that keep their files open.
  if (await staysClaimed(disk.path, { clock: deps.clock, signal }))
    throw inUse(disk, 'the kernel reports that its file system is still mounted, but this process cannot see where');
  const loops = await loopsOn(disk, { ...deps, signal });
  if (loops.length > 0) throw inUse(disk, `${loops.join(', ')} uses it`);
};

/** Unmounts a volume from the node. Succeeds only if its disk is no longer in use, because the controller then detaches it. */
export const unstageVolume = async (asked: string, deps: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  const { mounter } = deps;
  const path = await mounter.place(asked, { signal });
  const mounted = await disksAt(path, deps, signal);
  // Another mount that hides the volume, or was mounted instead, says nothing about the volume's disk.
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
