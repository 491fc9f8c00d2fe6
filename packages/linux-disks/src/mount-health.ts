import { diskOfMount } from './disk-of-mount.ts';
import type { MountEntry } from './mount-table.ts';
import type { RunCommand } from './run-command.ts';

export interface MountHealthOptions {
  readonly run: RunCommand;
  readonly sysfsRoot: string;
  readonly devRoot: string;
  readonly signal: AbortSignal;
}

/** A healthy file system answers from memory. */
const answerLimitMs = 10_000;
/** Mount options with which the kernel marks a failed file system. */
const states: Readonly<Record<string, string>> = {
  emergency_ro: 'became read-only after an error',
  shutdown: 'was shut down after an error',
};

/** Why a mounted disk cannot be used, as text that follows its path; undefined if it is healthy. Never accesses the mount from this process. */
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
