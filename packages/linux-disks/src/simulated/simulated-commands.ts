import { readFile, statfs, writeFile } from 'node:fs/promises';
import type { CommandResult, RunCommand } from '../run-command.ts';

const done: CommandResult = { exitCode: 0, stdout: '', stderr: '' };
const nothingFound: CommandResult = { exitCode: 2, stdout: '', stderr: '' };
const harmless = new Set([
  'blockdev',
  // These disks always read as zeros, and marks are never written to them.
  'cmp',
  'flock',
  'fsck',
  'fsck.ext4',
  'resize2fs',
  'stat',
  'xfs_growfs',
  'btrfs',
  'sh',
  'udevadm',
]);

/** Next to the disk, so that it is found wherever the disk is attached next. */
const typeFileOf = (disk: string): string => `${disk}.fstype`;

/** Simulates the programs that a node runs on its disks, for disks that are files: nothing is formatted, only the type is recorded. */
export const runSimulatedCommand: RunCommand = async (command, args) => {
  const disk = args.at(-1) ?? '';
  const made = /^mkfs\.(\w+)$/.exec(command)?.[1];
  if (made !== undefined) {
    await writeFile(typeFileOf(disk), made);
    return done;
  }
  if (command === 'blkid') {
    const found = await readFile(typeFileOf(disk), 'utf8').catch(() => undefined);
    return found === undefined ? nothingFound : { ...done, stdout: `DEVNAME=${disk}\nTYPE=${found}\n` };
  }
  if (command === 'stat' && args.includes('--file-system')) {
    const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(disk);
    return { ...done, stdout: `${[bsize, blocks, bfree, bavail, files, ffree].join(' ')}\n` };
  }
  if (harmless.has(command)) return done;
  return { exitCode: 127, stdout: '', stderr: `${command} is not simulated` };
};
