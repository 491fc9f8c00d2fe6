import { VdoError } from '@vdo/base/vdo-error';
import type { Disk } from './disk.ts';
import type { DiskHandle } from './disk-handle.ts';
import { clearFormatMark, writeFormatMark } from './format-mark.ts';
import { extBlockBytes } from './probe-disk.ts';
import { type CommandResult, outputOf, type RunCommand, runOrThrow } from './run-command.ts';

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

/** Features that mkfs enables by default and older kernels cannot mount, with the first kernel that can. */
const sinceKernel: Readonly<Record<FsType, readonly (readonly [number, number, readonly string[]])[]>> = {
  ext3: [],
  ext4: [[5, 15, ['-O', '^orphan_file,^metadata_csum_seed']]],
  xfs: [
    [5, 10, ['-m', 'bigtime=0,inobtcount=0']],
    [5, 19, ['-i', 'nrext64=0']],
  ],
  btrfs: [],
};

/** mkfs options so that the kernel of this node can mount the new file system. `release` as in uname: `5.4.0-42-generic`. */
export const kernelOptions = (fsType: FsType, release: string): readonly string[] => {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(release) ?? [];
  if (major === undefined) return [];
  const [ours, its] = [Number(major), Number(minor)];
  return sinceKernel[fsType].flatMap(([from, dot, options]) =>
    ours < from || (ours === from && its < dot) ? options : [],
  );
};

/** mkfs may take long for a thin disk on a slow datastore. Meanwhile the kubelet retries and gets the answer that the volume is busy. */
const mkfsLimitMs = 15 * 60_000;
const fsckLimitMs = 30 * 60_000;
const growLimitMs = 10 * 60_000;

export interface MakeFileSystemRequest {
  readonly fsType: FsType;
  readonly sizeBytes: bigint;
  readonly kernelRelease: string;
  /** Overwrite the remains of this driver's interrupted mkfs. */
  readonly again: boolean;
}

/**
 * Creates a file system. The caller has made sure that the disk is unused, or contains only the remains of an interrupted mkfs.
 * mkfs is not killed when the program is asked to stop. If a crash interrupts it, the mark on the disk shows this later.
 */
export const makeFileSystem = async (
  disk: DiskHandle,
  { fsType, sizeBytes, kernelRelease, again }: MakeFileSystemRequest,
): Promise<void> => {
  await writeFormatMark(disk, sizeBytes, { again });
  const [command = '', ...args] = mkfs[fsType];
  const force = again && (fsType === 'xfs' || fsType === 'btrfs') ? ['-f'] : [];
  const all = [...args, ...force, ...kernelOptions(fsType, kernelRelease)];
  await disk.assertSame();
  const result = await disk.run(command, [...all, disk.self], { limitMs: mkfsLimitMs, finish: true });
  outputOf(result, { line: [command, ...all, disk.path].join(' '), limitMs: mkfsLimitMs });
  await clearFormatMark(disk, sizeBytes);
};

const damaged = 4;
const cutShort = /superblock checksum does not match/i;

/**
 * fsck writes the superblock field by field and its checksum last. If it was killed in between, neither the kernel nor fsck can open the file
 * system. The first copy of the superblock is still intact, and with it fsck repairs only what is safe.
 */
const runFsck = async (disk: DiskHandle): Promise<CommandResult> => {
  const limits = { limitMs: fsckLimitMs, finish: true } as const;
  const result = await disk.run('fsck', ['-a', disk.path], limits);
  if (result.exitCode < damaged || !cutShort.test(result.stderr)) return result;
  const blockBytes = await extBlockBytes(disk);
  // The first block of the second group. A group has as many blocks as a block has bits.
  const copy = 8 * blockBytes + (blockBytes === 1024 ? 1 : 0);
  return disk.run('fsck.ext4', ['-p', '-b', String(copy), '-B', String(blockBytes), disk.path], limits);
};

/** Repairs what is safe to repair (ext only: xfs and btrfs replay their logs when they are mounted). Throws if manual repair is needed. */
export const checkFileSystem = async (disk: DiskHandle, fsType: string): Promise<void> => {
  if (!fsType.startsWith('ext')) return;
  const { exitCode, stdout, stderr, timedOut } = await runFsck(disk);
  if (exitCode < damaged) return;
  if (exitCode === damaged)
    throw new VdoError({
      code: 'NodeCommandFailed',
      message: `the ${fsType} file system on ${disk.path} is damaged: ${(stdout || stderr).trim()}`,
      remedy: `Run fsck ${disk.path} on the node and answer its questions, or restore the volume from a backup.`,
      retry: 'on-change',
    });
  throw new VdoError({
    code: 'NodeCommandFailed',
    message: timedOut
      ? `fsck -a ${disk.path} did not end within ${fsckLimitMs / 60_000} minutes`
      : `fsck -a ${disk.path} ended with ${exitCode}: ${(stderr || stdout).trim()}`,
    remedy: 'The kubelet retries. See dmesg on the node for details.',
  });
};

const growExt = async (disk: Disk, options: FileSystemOptions): Promise<void> => {
  const limits = { ...options, limitMs: growLimitMs, finish: true } as const;
  const { exitCode, stdout, stderr } = await options.run('resize2fs', [disk.path], limits);
  if (exitCode === 0) return;
  const forbidden = stderr.includes('Permission denied');
  throw new VdoError({
    code: 'NodeCommandFailed',
    message: `resize2fs ${disk.path} ended with ${exitCode}: ${(stderr || stdout).trim()}`,
    remedy: forbidden
      ? 'Only a process with CAP_SYS_RESOURCE may expand a mounted ext file system: run the node role as privileged.'
      : 'The kubelet retries. See dmesg on the node for details.',
  });
};

/** True if btrfs already uses the whole disk. The kernel refuses to resize a btrfs of less than 256 MiB, even to its present size. */
const isBtrfsWhole = async (disk: Disk, mountPath: string, { run, signal }: FileSystemOptions): Promise<boolean> => {
  const usage = await run('btrfs', ['filesystem', 'usage', '-b', mountPath], { signal });
  const size = await run('blockdev', ['--getsize64', disk.path], { signal });
  const [, has] = /Device size:\s+(\d+)/.exec(usage.stdout) ?? [];
  if (has === undefined || size.exitCode !== 0) return false;
  const sector = 4096n;
  return BigInt(has) >= (BigInt(size.stdout.trim()) / sector) * sector;
};

const growBtrfs = async (disk: Disk, mountPath: string, options: FileSystemOptions): Promise<void> => {
  if (await isBtrfsWhole(disk, mountPath, options)) return;
  const limits = { ...options, limitMs: growLimitMs, finish: true } as const;
  await runOrThrow(options.run, 'btrfs', ['filesystem', 'resize', 'max', mountPath], limits);
};

/** Expands a mounted file system to the size of its disk; does nothing if it already has this size. */
export const growFileSystem = async (
  { disk, fsType, mountPath }: { readonly disk: Disk; readonly fsType: string; readonly mountPath: string },
  options: FileSystemOptions,
): Promise<void> => {
  const limits = { ...options, limitMs: growLimitMs, finish: true } as const;
  if (fsType.startsWith('ext')) await growExt(disk, options);
  else if (fsType === 'xfs') await runOrThrow(options.run, 'xfs_growfs', ['-d', mountPath], limits);
  else if (fsType === 'btrfs') await growBtrfs(disk, mountPath, options);
  else
    throw new VdoError({
      code: 'Unimplemented',
      message: `a ${fsType} file system cannot be expanded (${mountPath})`,
      remedy: 'Copy the data to a larger volume.',
    });
};
