import { join } from 'node:path';
import type { Disk, DiskOptions } from './disk.ts';
import { type RunCommand, runOrThrow } from './run-command.ts';

// One process for any number of loop devices. A loop device that disappears meanwhile does not use the disk.
const script = `cd "$1" || exit; for loop in loop[0-9]*; do
  IFS= read -r file 2> /dev/null < "$loop/loop/backing_file" || continue
  case $file in "$2" | "/dev/$3") echo "$loop" ;; esac
done`;

/**
 * Loop devices on a disk. They keep it open, but not exclusively, even if something is mounted from them. Loop devices that were created
 * under another name of the disk, as in a container, are not found.
 */
export const loopsOn = async (
  { path, name }: Disk,
  { sysfsRoot, run, signal }: DiskOptions & { readonly run: RunCommand; readonly signal: AbortSignal },
): Promise<readonly string[]> => {
  const args = ['-c', script, 'loops', join(sysfsRoot, 'class/block'), path, name];
  return (await runOrThrow(run, 'sh', args, { signal })).split('\n').filter((loop) => loop !== '');
};
