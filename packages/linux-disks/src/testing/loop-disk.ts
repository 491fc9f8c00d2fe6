import { execFile } from 'node:child_process';
import { mkdir, open, symlink, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { forgetDisk, nameDisk } from '../simulated/name-disk.ts';

const run = promisify(execFile);

/** A real block device over a file, which the kernel seems to know by the UUID of a virtual disk. Needs root. */
export interface LoopDisk {
  readonly diskUuid: string;
  /** `/dev/loop3`. */
  readonly device: string;
  /** The file behind it. */
  readonly file: string;
  /** Grows the disk as vCenter does: the kernel is told, the file system is not. */
  grow(bytes: number): Promise<void>;
  detach(): Promise<void>;
}

export interface LoopDiskOptions {
  readonly folder: string;
  readonly devRoot: string;
  /** Below it is what the kernel tells of disks; see {@link makeLoopSysfs}. */
  readonly sysfsRoot: string;
  readonly diskUuid: string;
  readonly bytes: number;
}

/** A sysfs with the block devices of this machine, in which only disks that are attached here have a UUID. */
export const makeLoopSysfs = async (sysfsRoot: string): Promise<void> => {
  await mkdir(join(sysfsRoot, 'block'), { recursive: true });
  for (const path of ['dev', 'class/block']) {
    await mkdir(dirname(join(sysfsRoot, path)), { recursive: true });
    await symlink(join('/sys', path), join(sysfsRoot, path)).catch((error: { readonly code?: string }) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
};

export const attachLoopDisk = async (options: LoopDiskOptions): Promise<LoopDisk> => {
  const { folder, devRoot, sysfsRoot, diskUuid, bytes } = options;
  const file = join(folder, `${diskUuid}.img`);
  await (await open(file, 'a')).close();
  await truncate(file, bytes);
  await makeLoopSysfs(sysfsRoot);
  const { stdout } = await run('losetup', ['--find', '--show', file]);
  const device = stdout.trim();
  const named = { sysfsRoot, devRoot, path: device, diskUuid };
  await nameDisk(named);
  let detached = false;
  return {
    diskUuid,
    device,
    file,
    grow: async (size) => {
      await truncate(file, size);
      await run('losetup', ['--set-capacity', device]);
    },
    detach: async () => {
      // The next one to ask may have got the same loop device by now.
      if (detached) return;
      detached = true;
      await forgetDisk(named);
      // The kernel keeps it for whoever gets the same loop device next.
      await run('blockdev', ['--setrw', device]);
      await run('losetup', ['--detach', device]);
    },
  };
};
