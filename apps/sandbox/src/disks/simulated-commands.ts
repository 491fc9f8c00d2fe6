import type { CommandResult, RunCommand } from '@vdo/linux-disks/run-command';

const done: CommandResult = { exitCode: 0, stdout: '', stderr: '' };
const nothingFound: CommandResult = { exitCode: 2, stdout: '', stderr: '' };
const harmless = new Set(['fsck', 'resize2fs', 'xfs_growfs', 'btrfs', 'udevadm']);

/** The programs that the storage driver calls on a node, over disks that are files. `fileSystems`: by the path of the disk. */
export const createSimulatedCommands =
  (fileSystems: Map<string, string>): RunCommand =>
  async (command, args) => {
    const disk = args.at(-1) ?? '';
    const made = /^mkfs\.(\w+)$/.exec(command)?.[1];
    if (made !== undefined) {
      fileSystems.set(disk, made);
      return done;
    }
    if (command === 'blkid') {
      const found = fileSystems.get(disk);
      return found === undefined ? nothingFound : { ...done, stdout: `DEVNAME=${disk}\nTYPE=${found}\n` };
    }
    if (harmless.has(command)) return done;
    return { exitCode: 127, stdout: '', stderr: `${command} is not simulated` };
  };
