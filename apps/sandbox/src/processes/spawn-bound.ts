import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import type { AtExit } from './exit-stack.ts';

export interface SpawnBoundOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Its output is appended to this file. */
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

/** A process that ends when this one ends. */
export interface BoundProcess {
  /** Rejects if it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  /** Sends SIGTERM, then SIGKILL; resolves when the process has ended. */
  stop(): Promise<void>;
}

const setpriv = '/usr/bin/setpriv';

/**
 * Starts a program that ends when this process ends, in any way. It runs in its own session, so that Ctrl-C in the
 * terminal reaches only this process, which decides the order in which programs stop.
 */
export const spawnBound = (program: string, args: readonly string[], options: SpawnBoundOptions): BoundProcess => {
  // If this process is killed, no exit handler runs; on Linux, the kernel then ends the child.
  const [command, all] = existsSync(setpriv)
    ? [setpriv, ['--pdeathsig', 'KILL', '--', program, ...args]]
    : [program, [...args]];
  const child = spawn(command, all, { env: options.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const log = createWriteStream(options.logFile, { flags: 'a' });
  // Output that is written while the folder is being removed is ignored.
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
  // Callers may wait for the end, but do not have to.
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
