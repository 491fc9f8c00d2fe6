import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, diskOf } from './disk.ts';
import type { RunCommand } from './run-command.ts';

export interface FindDiskOptions {
  /** Default `/dev`; elsewhere in tests. */
  readonly devRoot: string;
  readonly sysfsRoot: string;
  readonly clock: Clock;
  readonly run: RunCommand;
  readonly signal: AbortSignal;
  /** How long to wait for the disk to appear. Default 30 s. */
  readonly timeoutMs?: number;
}

const pollMs = 200;
/** The kernel notices most disks by itself; looking for them is for those it missed. */
const rescanEveryMs = 2_000;

const notFound = (diskUuid: string, timeoutMs: number): VdoError =>
  new VdoError({
    code: 'NodeDiskNotFound',
    message: `the disk ${diskUuid} did not appear on this node within ${timeoutMs / 1000} s`,
    remedy:
      'Check that the VM has disk.EnableUUID=TRUE (set it while the VM is off) and that udev runs on the node. It is tried again.',
    details: { diskUuid },
  });

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** `6000c29...` as udev and the kernel name it, without hyphens, in lower case. */
const normalise = (diskUuid: string): string => diskUuid.replaceAll('-', '').toLowerCase();

const byLink = async (id: string, devRoot: string): Promise<string | undefined> => {
  const links = [`wwn-0x${id}`, `scsi-3${id}`].map((link) => join(devRoot, 'disk/by-id', link));
  for (const link of links) if (await exists(link)) return link;
  return undefined;
};

// Without udev there are no links, but the kernel itself knows the id.
const bySysfs = async (id: string, { sysfsRoot, devRoot }: FindDiskOptions): Promise<string | undefined> => {
  const folder = join(sysfsRoot, 'block');
  for (const name of await readdir(folder).catch(() => [])) {
    const wwid = await readFile(join(folder, name, 'device/wwid'), 'utf8').catch(() => '');
    if (wwid.trim().toLowerCase() === `naa.${id}`) return join(devRoot, name);
  }
  return undefined;
};

/** Asks every SCSI host to look for new disks. */
const rescan = async ({ sysfsRoot, run, signal }: FindDiskOptions): Promise<void> => {
  const folder = join(sysfsRoot, 'class/scsi_host');
  const hosts = await readdir(folder).catch(() => []);
  await Promise.all(hosts.map((host) => writeFile(join(folder, host, 'scan'), '- - -').catch(() => {})));
  await run('udevadm', ['settle', '--timeout=2'], { signal }).catch(() => {});
};

/** The disk with this UUID; waits for it to appear, and asks the kernel to look. VdoError NodeDiskNotFound if it does not come. */
export const findDisk = async (diskUuid: string, options: FindDiskOptions): Promise<Disk> => {
  const { clock, signal, timeoutMs = 30_000 } = options;
  const id = normalise(diskUuid);
  const startMs = clock.monotonicMs();
  let scannedMs = startMs - rescanEveryMs / 2;
  for (;;) {
    signal.throwIfAborted();
    const path = (await byLink(id, options.devRoot)) ?? (await bySysfs(id, options));
    if (path && (await exists(path))) return diskOf(path);
    const nowMs = clock.monotonicMs();
    if (nowMs - startMs >= timeoutMs) throw notFound(diskUuid, timeoutMs);
    if (nowMs - scannedMs >= rescanEveryMs) {
      scannedMs = nowMs;
      await rescan(options);
    }
    await sleep(clock, pollMs, { signal });
  }
};
