import { diskOfMount } from './disk-of-mount.ts';
import type { MountEntry } from './mount-table.ts';
import type { RunCommand } from './run-command.ts';

export interface MountHealthOptions {
  readonly run: RunCommand;
  readonly sysfsRoot: string;
  readonly devRoot: string;
  readonly signal: AbortSignal;
}

/** A file system in good health answers from memory. */
const answerLimitMs = 10_000;
/** How the kernel names a file system that has given up. */
const states: Readonly<Record<string, string>> = {
  emergency_ro: 'became read-only after an error',
  shutdown: 'was shut down after an error',
};

/** What keeps a mounted disk from being used, in words that follow its path; undefined if it is well. Never touches it from this process. */
export const mountProblem = async (entry: MountEntry, options: MountHealthOptions): Promise<string | undefined> => {
  if (!(await diskOfMount(entry, options))) return `lost its disk ${entry.source}`;
  const state = entry.superOptions.map((option) => states[option]).find((found) => found !== undefined);
  if (state) return state;
  if (entry.superOptions.includes('ro') && !entry.options.includes('ro')) return 'became read-only after an error';
  const limits = { signal: options.signal, limitMs: answerLimitMs };
  const { exitCode, stderr, timedOut } = await options.run('stat', ['--format=%i', entry.target], limits);
  if (timedOut) return `did not answer within ${answerLimitMs / 1000} s`;
  return exitCode === 0 ? undefined : `cannot be read: ${stderr.trim()}`;
};
