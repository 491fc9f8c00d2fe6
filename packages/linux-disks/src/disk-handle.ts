import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import { type Clock, sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { type Disk, numberOf } from './disk.ts';
import { type FindDiskOptions, findDisk, isDiskOfUuid } from './find-disk.ts';
import type { CommandOptions, CommandResult } from './run-command.ts';

/**
 * A disk that was identified and stays the same until it is released: an open descriptor prevents the kernel from giving its name to another
 * disk, and a lock keeps other processes of the node role away. Every irreversible operation needs such a handle.
 */
export interface DiskHandle extends Disk {
  readonly diskUuid: string;
  readonly signal: AbortSignal;
  /** The path that programs of `run` must use for the disk: the inherited descriptor, which cannot refer to another disk. */
  readonly self: string;
  /** Runs a program that inherits the descriptor and with it the lock: the disk stays locked while that program runs. */
  run(
    command: string,
    args: readonly string[],
    options?: Omit<CommandOptions, 'fds' | 'signal'>,
  ): Promise<CommandResult>;
  /** Throws VdoError NodeDiskChanged unless path, device number and UUID are still those of the opened disk. */
  assertSame(): Promise<void>;
  /** True if a file system or a program uses the disk exclusively, in any mount namespace. */
  isClaimed(): Promise<boolean>;
  close(): Promise<void>;
}

/** A disk that does not answer a single read within this time is not accessed by this process at all. */
const readLimitMs = 15_000;
const inherited = '/dev/fd/3';
const lockTries = 20;
const lockPollMs = 250;
const lockTaken = 1;

const silent = ({ path }: Disk): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `${path} did not answer a read within ${readLimitMs / 1000} s`,
    remedy: 'The kubelet retries. Check dmesg on the node and the latency of the datastore in vCenter.',
  });

const unreadable = ({ path }: Disk, output: string): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `${path} cannot be read: ${output.trim()}`,
    remedy: 'The disk was not changed. Check dmesg on the node for read errors.',
  });

const locked = ({ path }: Disk): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `${path} is locked: another program is formatting, checking or mounting it`,
    remedy: `The kubelet retries. If this persists, lsof ${path} on the node shows which program has it open. An mkfs that continues after the driver stopped will finish.`,
  });

const changed = ({ path }: Disk, diskUuid: string, seen: string): VdoError =>
  new VdoError({
    code: 'NodeDiskChanged',
    message: `${path} is no longer the disk ${diskUuid} that was found there: ${seen}; nothing was written`,
    remedy:
      'Disks are being attached and detached on this node. The kubelet retries, and the driver searches for the disk again.',
    details: { diskUuid },
  });

/** Reads one block with a separate process that can be killed: to open a disk that does not respond would block a thread of this process forever. */
const assertAnswers = async (disk: Disk, { run, signal }: FindDiskOptions): Promise<void> => {
  const args = ['-n', '4096', disk.path, '/dev/zero'];
  const { exitCode, stderr, timedOut } = await run('cmp', ['-s', ...args], { signal, limitMs: readLimitMs });
  if (timedOut) throw silent(disk);
  if (exitCode > 1) throw unreadable(disk, stderr || `cmp ended with ${exitCode}`);
};

const lock = async (disk: Disk, { fd }: FileHandle, { run, signal, clock }: FindDiskOptions): Promise<void> => {
  for (let tries = 1; ; tries++) {
    // The lock belongs to the open file description, which this process and the program share, so it remains after the program ends.
    const { exitCode, stderr } = await run('flock', ['--exclusive', '--nonblock', '3'], { signal, fds: [fd] });
    if (exitCode === 0) return;
    if (exitCode !== lockTaken) throw unreadable(disk, stderr);
    // udev briefly opens disks, too.
    if (tries >= lockTries) throw locked(disk);
    await sleep(clock, lockPollMs, { signal });
  }
};

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;

/** True if the device is used exclusively: by a mounted file system in any namespace, by mkfs, or by a device mapper. */
const isClaimed = async (path: string): Promise<boolean> => {
  try {
    // No other code in this process opens a disk in this way.
    await (await open(path, constants.O_RDONLY | constants.O_EXCL)).close();
    return false;
  } catch (error) {
    if (codeOf(error) === 'EBUSY') return true;
    // The disk was removed, so nothing can use it.
    if (['ENOENT', 'ENXIO', 'ENODEV', 'ENOMEDIUM'].includes(String(codeOf(error)))) return false;
    throw error;
  }
};

/** True if the device remains in exclusive use: the kernel releases a file system only a moment after its last unmount. */
export const staysClaimed = async (
  path: string,
  {
    clock,
    signal,
    patienceMs = 2_000,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly patienceMs?: number },
): Promise<boolean> => {
  const startMs = clock.monotonicMs();
  while (await isClaimed(path)) {
    if (clock.monotonicMs() - startMs >= patienceMs) return true;
    await sleep(clock, 50, { signal });
  }
  return false;
};

/** Finds a disk, opens it, locks it, and verifies its identity. */
export const openDisk = async (diskUuid: string, options: FindDiskOptions): Promise<DiskHandle> => {
  const disk = await findDisk(diskUuid, options);
  await assertAnswers(disk, options);
  const file = await open(disk.path, constants.O_RDONLY);
  const isDevice = (await file.stat()).isBlockDevice();
  const assertSame = async (): Promise<void> => {
    const [opened, named] = [await file.stat(), await stat(disk.path).catch(() => undefined)];
    if (opened.isBlockDevice() && numberOf(opened.rdev) !== disk.number)
      throw changed(disk, diskUuid, `its number is ${numberOf(opened.rdev)}, expected ${disk.number}`);
    if (named?.rdev !== opened.rdev || named.ino !== opened.ino)
      throw changed(disk, diskUuid, 'the device name now belongs to another device');
    if (!(await isDiskOfUuid(disk.name, diskUuid, options)))
      throw changed(disk, diskUuid, 'the kernel now reports another UUID for it');
  };
  try {
    await lock(disk, file, options);
    await assertSame();
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    ...disk,
    diskUuid,
    signal: options.signal,
    // Disks that are files are used only for simulation.
    self: isDevice ? inherited : disk.path,
    run: (command, args, more) => options.run(command, args, { ...more, signal: options.signal, fds: [file.fd] }),
    assertSame,
    isClaimed: () => isClaimed(disk.path),
    close: () => file.close(),
  };
};
