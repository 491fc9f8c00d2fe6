import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, diskFact } from './disk.ts';
import type { RunCommand } from './run-command.ts';

export interface FindDiskOptions {
  /** `/dev` by default; another directory in tests. */
  readonly devRoot: string;
  readonly sysfsRoot: string;
  readonly clock: Clock;
  readonly run: RunCommand;
  readonly signal: AbortSignal;
  /** How long to wait for the disk to appear; 30 s by default. 0 checks only once. */
  readonly timeoutMs?: number;
}

const pollMs = 200;
/** The kernel detects most disks itself; a rescan is needed only for those that it missed. */
const rescanEveryMs = 2_000;
/** A controller that is resetting its disks answers late or not at all. */
const rescanLimitMs = 5_000;

const notFound = (diskUuid: string, timeoutMs: number): VdoError =>
  new VdoError({
    code: 'NodeDiskNotFound',
    message: `the disk ${diskUuid} did not appear on this node within ${timeoutMs / 1000} s`,
    remedy:
      'Check that the VM has disk.EnableUUID=TRUE (set it while the VM is powered off). cat /sys/block/*/device/wwid on the node shows the disks that it has. The kubelet retries.',
    details: { diskUuid },
  });

const ambiguous = (diskUuid: string, names: readonly string[]): VdoError =>
  new VdoError({
    code: 'NodeDiskAmbiguous',
    message: `${names.length} disks of this node have the UUID ${diskUuid}, expected one: ${names.join(', ')}; none of them was changed`,
    remedy:
      'A copied VMDK keeps the UUID of its original. Detach the copy from the VM, or give it a new UUID with vmkfstools -J setuuid. The kubelet retries.',
    details: { diskUuid, names },
  });

/** `6000c29...` as in sysfs: without hyphens, in lower case. */
const wwidOf = (diskUuid: string): string => `naa.${diskUuid.replaceAll('-', '').toLowerCase()}`;

/** True if, according to the kernel, the disk with this name has the UUID. Links below /dev/disk may be outdated, sysfs is not. */
export const isDiskOfUuid = async (
  name: string,
  diskUuid: string,
  options: { readonly sysfsRoot: string },
): Promise<boolean> => (await diskFact(name, 'device/wwid', options)).toLowerCase() === wwidOf(diskUuid);

/** The UUIDs of all disks that have one. */
export const attachedUuids = async ({ sysfsRoot }: { readonly sysfsRoot: string }): Promise<readonly string[]> => {
  const names = await readdir(join(sysfsRoot, 'block')).catch(() => []);
  const wwids = await Promise.all(names.map((name) => diskFact(name, 'device/wwid', { sysfsRoot })));
  return wwids.flatMap((wwid) => (wwid.startsWith('naa.') ? [wwid.slice('naa.'.length)] : []));
};

/** All disks that have the UUID. */
const candidates = async (diskUuid: string, options: FindDiskOptions): Promise<readonly string[]> => {
  const names = await readdir(join(options.sysfsRoot, 'block')).catch(() => []);
  const claims = await Promise.all(names.map((name) => isDiskOfUuid(name, diskUuid, options)));
  return names.filter((_, index) => claims[index]);
};

/** Asks every SCSI host to scan for new disks. */
const rescan = async ({ sysfsRoot, run, signal }: FindDiskOptions): Promise<void> => {
  const folder = join(sysfsRoot, 'class/scsi_host');
  const files = (await readdir(folder).catch(() => [])).map((host) => join(folder, host, 'scan'));
  const options = { signal, limitMs: rescanLimitMs };
  // Uses separate processes: the kernel may block the writer until a controller has been reset.
  const script = 'for file; do echo "- - -" > "$file"; done';
  if (files.length > 0) await run('sh', ['-c', script, 'rescan', ...files], options).catch(() => {});
  await run('udevadm', ['settle', '--timeout=2'], options).catch(() => {});
};

/** The disk with this UUID; undefined if there is none. Throws VdoError NodeDiskAmbiguous if there are several. */
const searchOnce = async (diskUuid: string, options: FindDiskOptions): Promise<Disk | undefined> => {
  const names = await candidates(diskUuid, options);
  if (names.length > 1) throw ambiguous(diskUuid, names);
  const [name] = names;
  if (name === undefined) return undefined;
  // The device file comes a moment after the disk.
  const path = await realpath(join(options.devRoot, name)).catch(() => undefined);
  const number = await diskFact(name, 'dev', options);
  return path === undefined || number === '' ? undefined : { path, name, number };
};

/** The disk with this UUID. Waits for it to appear, and asks the kernel to scan for it. Throws VdoError NodeDiskNotFound if it does not appear. */
export const findDisk = async (diskUuid: string, options: FindDiskOptions): Promise<Disk> => {
  const { clock, signal, timeoutMs = 30_000 } = options;
  const startMs = clock.monotonicMs();
  let scannedMs = startMs - rescanEveryMs / 2;
  for (;;) {
    signal.throwIfAborted();
    const disk = await searchOnce(diskUuid, options);
    if (disk) return disk;
    const nowMs = clock.monotonicMs();
    if (nowMs - startMs >= timeoutMs) throw notFound(diskUuid, timeoutMs);
    if (nowMs - scannedMs >= rescanEveryMs) {
      scannedMs = nowMs;
      await rescan(options);
    }
    await sleep(clock, pollMs, { signal });
  }
};
