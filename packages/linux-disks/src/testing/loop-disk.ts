import { execFile } from 'node:child_process';
import { mkdir, open, rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A real block device over a file, named as udev names the disks of a VM. Needs root. */
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
  /** Where `disk/by-id` is. */
  readonly devRoot: string;
  readonly diskUuid: string;
  readonly bytes: number;
}

export const attachLoopDisk = async ({ folder, devRoot, diskUuid, bytes }: LoopDiskOptions): Promise<LoopDisk> => {
  const file = join(folder, `${diskUuid}.img`);
  await (await open(file, 'a')).close();
  await truncate(file, bytes);
  const { stdout } = await run('losetup', ['--find', '--show', file]);
  const device = stdout.trim();
  const byId = join(devRoot, 'disk/by-id');
  await mkdir(byId, { recursive: true });
  const link = join(byId, `wwn-0x${diskUuid}`);
  await rm(link, { force: true });
  await symlink(device, link);
  return {
    diskUuid,
    device,
    file,
    grow: async (size) => {
      await truncate(file, size);
      await run('losetup', ['--set-capacity', device]);
    },
    detach: async () => {
      await rm(link, { force: true });
      await run('losetup', ['--detach', device]);
    },
  };
};
