import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import type { AtExit } from './exit-stack.ts';

export interface SpawnBoundOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Its output is added to this file. */
  readonly logFile: string;
  readonly atExit: AtExit;
  /** Default 10 s between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that does not outlive this one. */
export interface BoundProcess {
  /** Rejects if it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  /** SIGTERM, then SIGKILL; resolves when it is gone. */
  stop(): Promise<void>;
}

const setpriv = '/usr/bin/setpriv';

/**
 * Starts a program that ends with this process, however that one ends. It is in a session of its own, so that Ctrl-C at the
 * terminal reaches this process alone: who stops when is decided here.
 */
export const spawnBound = (program: string, args: readonly string[], options: SpawnBoundOptions): BoundProcess => {
  // No exit handler runs in a process that is killed; on Linux the kernel then ends the child.
  const [command, all] = existsSync(setpriv)
    ? [setpriv, ['--pdeathsig', 'KILL', '--', program, ...args]]
    : [program, [...args]];
  const child = spawn(command, all, { env: options.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const log = createWriteStream(options.logFile, { flags: 'a' });
  // What is still written while the folder is being removed is of no interest.
  log.on('error', () => undefined);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const forget = options.atExit(() => child.kill('SIGKILL'));
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  }).finally(() => {
    forget();
    log.end();
  });
  // Whoever waits for the end is told; nobody has to.
  ended.catch(() => undefined);
  return {
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), options.graceMs ?? 10_000);
      await ended.catch(() => undefined);
      clearTimeout(killing);
    },
  };
};
