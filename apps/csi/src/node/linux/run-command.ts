import { execFile } from 'node:child_process';
import { VdoError } from '@vdo/base/vdo-error';

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly signal: AbortSignal;
}

/** Runs a program to its end, whatever its exit code. Throws VdoError NodeCommandFailed if it could not be run. */
export type RunCommand = (command: string, args: readonly string[], options: CommandOptions) => Promise<CommandResult>;

const outputLimitBytes = 1024 * 1024;

const notRun = (command: string, cause: Error): VdoError =>
  new VdoError({
    code: 'NodeCommandFailed',
    message: `${command} could not be run: ${cause.message}`,
    remedy: `Install ${command} where the node role runs; the project's image has it.`,
    cause,
  });

/** Runs programs of this machine, with a fixed locale so that their output can be read. */
export const createCommandRunner =
  (env: Readonly<Record<string, string | undefined>>): RunCommand =>
  (command, args, { signal }) =>
    new Promise((resolve, reject) => {
      const options = { env: { PATH: env['PATH'], LC_ALL: 'C' }, maxBuffer: outputLimitBytes, signal };
      execFile(command, [...args], options, (error, stdout, stderr) => {
        if (!error) return resolve({ exitCode: 0, stdout, stderr });
        if (signal.aborted) return reject(signal.reason);
        if (typeof error.code === 'number') return resolve({ exitCode: error.code, stdout, stderr });
        return reject(notRun(command, error));
      });
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
