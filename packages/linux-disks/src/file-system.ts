import { VdoError } from '@vdo/base/vdo-error';
import type { Disk } from './disk.ts';
import { type RunCommand, runOrThrow } from './run-command.ts';

export interface FileSystemOptions {
  readonly run: RunCommand;
  readonly signal: AbortSignal;
}

/** File systems that volumes can have. */
export type FsType = 'ext3' | 'ext4' | 'xfs' | 'btrfs';

const mkfs: Readonly<Record<FsType, readonly string[]>> = {
  // No blocks are reserved for root: pods do not need them. Discarding a whole thin disk takes long and gains nothing.
  ext3: ['mkfs.ext3', '-F', '-q', '-m0', '-E', 'nodiscard'],
  ext4: ['mkfs.ext4', '-F', '-q', '-m0', '-E', 'nodiscard'],
  xfs: ['mkfs.xfs', '-q', '-K'],
  btrfs: ['mkfs.btrfs', '-q', '-K'],
};

export const isFsType = (text: string): text is FsType => text in mkfs;

/** Makes a file system. The caller has made sure that the disk is empty. */
export const makeFileSystem = async (disk: Disk, fsType: FsType, options: FileSystemOptions): Promise<void> => {
  const [command = '', ...args] = mkfs[fsType];
  await runOrThrow(options.run, command, [...args, disk.path], options);
};

const repaired = 1;
const damaged = 4;

/** Repairs what is safe to repair (ext only: xfs and btrfs replay their logs at mount). Throws if a person has to. */
export const checkFileSystem = async (disk: Disk, fsType: string, options: FileSystemOptions): Promise<void> => {
  if (!fsType.startsWith('ext')) return;
  const { exitCode, stdout, stderr } = await options.run('fsck', ['-a', disk.path], options);
  if (exitCode <= repaired || exitCode < damaged) return;
  if (exitCode === damaged)
    throw new VdoError({
      code: 'NodeCommandFailed',
      message: `the ${fsType} file system on ${disk.path} is damaged: ${(stdout || stderr).trim()}`,
      remedy: `Run fsck ${disk.path} on the node and answer its questions, or restore the volume from a backup.`,
      retry: 'on-change',
    });
  throw new VdoError({
    code: 'NodeCommandFailed',
    message: `fsck -a ${disk.path} ended with ${exitCode}: ${(stderr || stdout).trim()}`,
    remedy: 'It is tried again. dmesg on the node often tells more.',
  });
};

const growExt = async (disk: Disk, options: FileSystemOptions): Promise<void> => {
  const { exitCode, stdout, stderr } = await options.run('resize2fs', [disk.path], options);
  if (exitCode === 0) return;
  const forbidden = stderr.includes('Permission denied');
  throw new VdoError({
    code: 'NodeCommandFailed',
    message: `resize2fs ${disk.path} ended with ${exitCode}: ${(stderr || stdout).trim()}`,
    remedy: forbidden
      ? 'The kernel lets only processes with CAP_SYS_RESOURCE grow a mounted ext file system: run the node role privileged.'
      : 'It is tried again. dmesg on the node often tells more.',
  });
};

/** Grows a mounted file system to the size of its disk; nothing happens if it has it already. */
export const growFileSystem = async (
  { disk, fsType, mountPath }: { readonly disk: Disk; readonly fsType: string; readonly mountPath: string },
  options: FileSystemOptions,
): Promise<void> => {
  if (fsType.startsWith('ext')) await growExt(disk, options);
  else if (fsType === 'xfs') await runOrThrow(options.run, 'xfs_growfs', ['-d', mountPath], options);
  else if (fsType === 'btrfs')
    await runOrThrow(options.run, 'btrfs', ['filesystem', 'resize', 'max', mountPath], options);
  else
    throw new VdoError({
      code: 'Unimplemented',
      message: `a ${fsType} file system cannot be grown (${mountPath})`,
      remedy: 'Copy the data to a larger volume.',
    });
};
