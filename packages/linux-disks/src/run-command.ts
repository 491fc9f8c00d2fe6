import { type ChildProcess, spawn } from 'node:child_process';
import { VdoError } from '@vdo/base/vdo-error';

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** It did not end within its limit. */
  readonly timedOut?: true;
}

export interface CommandOptions {
  readonly signal: AbortSignal;
  /** After so long the program is killed, with all it started, and waited for no longer: what waits for a dead server cannot always be ended. */
  readonly limitMs?: number;
}

/** Runs a program to its end, whatever its exit code. Throws VdoError NodeCommandFailed if it could not be run. */
export type RunCommand = (command: string, args: readonly string[], options: CommandOptions) => Promise<CommandResult>;

const outputLimit = 1024 * 1024;
/** As shells say it of a program that was killed. */
const killedExitCode = 137;

const notRun = (command: string, cause: Error): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `${command} could not be run: ${cause.message}`,
    remedy: `Install ${command} where the node role runs; the project's image has it.`,
    cause,
  });

const collect = (stream: ChildProcess['stdout'], onTooMuch: () => void): (() => string) => {
  let text = '';
  stream?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (text.length > outputLimit) onTooMuch();
  });
  return () => text;
};

/** Ends a program and what it started: `mount` leaves the work to `mount.nfs`. */
const killGroup = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended meanwhile.
  }
};

/** Runs programs of this machine, with a fixed locale so that their output can be read. */
export const createCommandRunner =
  (env: Readonly<Record<string, string | undefined>>): RunCommand =>
  (command, args, { signal, limitMs }) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const child = spawn(command, [...args], {
        env: { PATH: env['PATH'], LC_ALL: 'C' },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A process group of its own, to be ended as a whole.
        detached: true,
      });
      const settle = (end: () => void): void => {
        clearTimeout(limit);
        signal.removeEventListener('abort', onAbort);
        end();
      };
      const giveUp = (name: NodeJS.Signals, end: () => void): void => {
        killGroup(child, name);
        child.stdout.destroy();
        child.stderr.destroy();
        child.unref();
        settle(end);
      };
      const tooMuch = () => giveUp('SIGKILL', () => reject(notRun(command, new Error('it wrote over 1 MiB'))));
      const stdout = collect(child.stdout, tooMuch);
      const stderr = collect(child.stderr, tooMuch);
      const onAbort = () => giveUp('SIGTERM', () => reject(signal.reason));
      const onLimit = () =>
        giveUp('SIGKILL', () =>
          resolve({ exitCode: killedExitCode, stdout: stdout(), stderr: stderr(), timedOut: true }),
        );
      const limit = limitMs === undefined ? undefined : setTimeout(onLimit, limitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      child.once('error', (error) => settle(() => reject(notRun(command, error))));
      child.once('close', (exitCode, killer) =>
        settle(() => {
          if (exitCode === null) reject(notRun(command, new Error(`${killer} ended it`)));
          else resolve({ exitCode, stdout: stdout(), stderr: stderr() });
        }),
      );
    });

/** The output of a program that has to succeed; VdoError NodeCommandFailed with what it said if it does not. */
export const runOrThrow = async (
  run: RunCommand,
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> => {
  const { exitCode, stdout, stderr } = await run(command, args, options);
  if (exitCode === 0) return stdout;
  throw new VdoError({
    code: 'NodeCommandFailed',
    message: `${[command, ...args].join(' ')} ended with ${exitCode}: ${(stderr || stdout).trim()}`,
    remedy: 'It is tried again. dmesg on the node often tells more.',
    details: { exitCode },
  });
};
