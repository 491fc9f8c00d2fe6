import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Fifth field of /proc/self/mountinfo, in which spaces and the like are octal numbers. */
const mountsBelow = (folder: string): readonly string[] => {
  const table = '/proc/self/mountinfo';
  const lines = existsSync(table) ? readFileSync(table, 'utf8').trimEnd().split('\n') : [];
  return lines
    .map((line) =>
      (line.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
    )
    .filter((target) => target.startsWith(folder + sep));
};

const loopDevicesBelow = (folder: string): readonly string[] => {
  const blocks = '/sys/block';
  const names = existsSync(blocks) ? readdirSync(blocks).filter((name) => name.startsWith('loop')) : [];
  return names.flatMap((name) => {
    const file = join(blocks, name, 'loop/backing_file');
    return existsSync(file) && readFileSync(file, 'utf8').startsWith(folder + sep) ? [`/dev/${name}`] : [];
  });
};

/**
 * Removes the folder of a sandbox, with the mounts below it and the loop devices of its files. Does not wait, because it is
 * used by a process that is exiting, and for the leftovers of a killed one.
 */
export const sweepFolder = (path: string): void => {
  if (!existsSync(path)) return;
  const folder = realpathSync(path);
  // Lazy unmount: a file that is still open must not block the rest.
  for (const target of [...mountsBelow(folder)].reverse()) spawnSync('umount', ['--lazy', target]);
  for (const device of loopDevicesBelow(folder)) spawnSync('losetup', ['--detach', device]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
};
