import { execFile } from 'node:child_process';

/** How a program is run. */
export interface RunOptions {
  /** Added to the test process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Written to its standard input. Default: nothing. */
  readonly stdin?: string;
  /** Killed after this time. Default 60000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A program that ended with another exit code than 0; the message holds its output. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;

  constructor(message: string, result: { exitCode: number; stdout: string; stderr: string }) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = result.exitCode;
    this.stdout = result.stdout;
    this.stderr = result.stderr;
  }
}

/** Runs a program to its end and returns its standard output. Throws CommandError if it fails. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { env, cwd, stdin = '', timeoutMs = 60_000, signal } = options;
  return new Promise((resolve, reject) => {
    const settings = { env: { ...process.env, ...env }, cwd, timeout: timeoutMs, signal, maxBuffer: 1 << 28 };
    const child = execFile(command, args, settings, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const exitCode = typeof error.code === 'number' ? error.code : -1;
      const ending = error.killed ? `was killed after ${timeoutMs} ms` : `ended with ${error.code ?? error.signal}`;
      const line = [command, ...args].join(' ');
      reject(new CommandError(`${line} ${ending}\n${stderr || stdout}`, { exitCode, stdout, stderr }));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
  });
}
