import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { onProcessExit } from './cleanup.ts';

/** Lines kept of each process's output. */
const logLines = 500;
const setpriv = '/usr/bin/setpriv';

/** Where and how a process is started. */
export interface SpawnOptions {
  /** Shown in front of its log lines. Default: the command. */
  readonly name?: string;
  /** Added to the test process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Written to its standard input, which is then closed. Default: nothing. */
  readonly stdin?: string;
}

/** A started process, its captured output and its end. */
export interface LoggedProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended: its exit code, or -1 if a signal or a failed start ended it. */
  readonly exited: Promise<number>;
  /** The exit code as in `exited`; undefined while it runs. */
  exitCode(): number | undefined;
  /** The last lines of stdout and stderr, in order of arrival. Default: all that are kept (500). */
  tail(lines?: number): string;
  /** Sends a signal; does nothing once the process has ended. */
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, then SIGKILL after `graceMs` (default 5000). Resolves when the process is gone. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Starts a program with its output captured. It dies with the test process, however that one ends. */
export function spawnLogged(command: string, args: readonly string[], options: SpawnOptions = {}): LoggedProcess {
  const name = options.name ?? command;
  const lines: string[] = [];
  const child = start(command, args, options);
  const addOutput = createLineCollector((line) => {
    lines.push(line);
    if (lines.length > logLines) lines.shift();
  });
  child.stdout?.on('data', addOutput);
  child.stderr?.on('data', addOutput);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(options.stdin ?? '');

  const forget = onProcessExit(() => child.kill('SIGKILL'));
  let code: number | undefined;
  const exited = new Promise<number>((resolve) => {
    const end = (value: number): void => {
      code = value;
      forget();
      resolve(value);
    };
    child.once('error', (error) => {
      lines.push(`could not be started: ${error.message}`);
      end(-1);
    });
    child.once('close', (value) => end(value ?? -1));
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (code === undefined) child.kill(signal);
  };

  return {
    name,
    pid: child.pid ?? -1,
    exited,
    exitCode: () => code,
    tail: (count = logLines) => lines.slice(-count).join('\n'),
    kill,
    stop: async ({ graceMs = 5_000 } = {}) => {
      kill('SIGTERM');
      const timer = setTimeout(() => kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

function start(command: string, args: readonly string[], { env, cwd }: SpawnOptions): ChildProcess {
  // An exit handler does not run when the test process is killed; on Linux the kernel then kills the child for us.
  const [program, all] = existsSync(setpriv)
    ? [setpriv, ['--pdeathsig', 'KILL', '--', command, ...args]]
    : [command, [...args]];
  return spawn(program, all, { env: { ...process.env, ...env }, cwd, stdio: 'pipe' });
}

function createLineCollector(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) onLine(line);
  };
}
