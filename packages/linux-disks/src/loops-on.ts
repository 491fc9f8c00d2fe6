import { join } from 'node:path';
import type { Disk, DiskOptions } from './disk.ts';
import { type RunCommand, runOrThrow } from './run-command.ts';

// One program, however many loop devices the machine has. What goes away meanwhile stands on nothing.
const script = `cd "$1" || exit; for loop in loop[0-9]*; do
  IFS= read -r file 2> /dev/null < "$loop/loop/backing_file" || continue
  case $file in "$2" | "/dev/$3") echo "$loop" ;; esac
done`;

/**
 * Loop devices that stand on a disk. They keep it open without claiming it, whatever is mounted from them. Those that were made under
 * another name of the disk, as in a container, are not found.
 */
export const loopsOn = async (
  { path, name }: Disk,
  { sysfsRoot, run, signal }: DiskOptions & { readonly run: RunCommand; readonly signal: AbortSignal },
): Promise<readonly string[]> => {
  const args = ['-c', script, 'loops', join(sysfsRoot, 'class/block'), path, name];
  return (await runOrThrow(run, 'sh', args, { signal })).split('\n').filter((loop) => loop !== '');
};
