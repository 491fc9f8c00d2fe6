import { readFile } from 'node:fs/promises';
import { createCommandRunner, type RunCommand } from '@vdo/linux-disks/run-command';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { mountOf, type NodeTestbed } from './node-testbed.ts';

/** How every mkfs writes to a disk. One call only: strace counts each by itself. */
const writing = 'pwrite64';
const run = createCommandRunner(process.env);

/** Runs mkfs under strace, everything else as it is. */
const traced =
  (options: readonly string[]): RunCommand =>
  (command, args, more) =>
    command.startsWith('mkfs.')
      ? run('strace', ['-f', '-qq', '-e', `trace=${writing}`, ...options, command, ...args], more)
      : run(command, args, more);

/** How many of the system calls of its busiest thread write: strace counts for each. */
export const countMkfsWrites = async (testbed: NodeTestbed, fsType: string): Promise<number> => {
  const disk = await testbed.attach();
  const log = testbed.path('strace.log');
  const node = testbed.serviceWith({ run: traced(['-o', log]) });
  await testbed.callsOf(node).stage(disk, { capability: mountOf(fsType) });
  await testbed.calls().unstage();
  await testbed.makeStaging();
  await disk.detach();
  const perThread = new Map<string, number>();
  for (const [, thread = ''] of (await readFile(log, 'utf8')).matchAll(/^(\d+) +\w+\(/gm))
    perThread.set(thread, (perThread.get(thread) ?? 0) + 1);
  return Math.max(...perThread.values());
};

/** Stages a volume, and mkfs is killed inside its nth writing system call. True if it came to that. */
export const interruptMkfs = async (
  testbed: NodeTestbed,
  disk: LoopDisk,
  {
    fsType,
    volumeContext,
    nth,
  }: { readonly fsType: string; readonly volumeContext: Record<string, string>; readonly nth: number },
): Promise<boolean> => {
  const inject = ['-o', '/dev/null', '-e', `inject=${writing}:signal=SIGKILL:when=${nth}`];
  const node = testbed.serviceWith({ run: traced(inject) });
  try {
    await testbed.callsOf(node).stage(disk, { capability: mountOf(fsType), volumeContext });
    await testbed.calls().unstage();
    await testbed.makeStaging();
    return false;
  } catch {
    return true;
  }
};
