import { redactText } from '@vdo/base/redact';
import { toVdoError } from '@vdo/base/vdo-error';

/** The result of a command line without anything to run: help, the version, or an error. */
export interface CliExit {
  readonly kind: 'exit';
  readonly code: number;
  readonly text: string;
}

/** The parts of `process` that a program gets. */
export interface ProgramHost {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): unknown;
}

export interface ProgramContext {
  readonly env: ProgramHost['env'];
  /** Writes a line of the log. */
  readonly write: (line: string) => void;
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
}

export interface Program<Cli extends { readonly kind: string }> {
  /** The prefix of error messages. */
  readonly name: string;
  /** Prints nothing: the text to print is returned as an exit. */
  readonly parse: (args: readonly string[]) => Cli | CliExit;
  /** Runs until the signal is aborted. */
  readonly run: (cli: Exclude<Cli, CliExit>, context: ProgramContext) => Promise<void>;
}

const isExit = (cli: { readonly kind: string }): cli is CliExit => cli.kind === 'exit';

/** Runs a program to its end: help to standard output, errors to standard error, failures with their remedy. */
export const runProgram = async <Cli extends { readonly kind: string }>(
  host: ProgramHost,
  { name, parse, run }: Program<Cli>,
): Promise<void> => {
  const cli = parse(host.argv.slice(2));
  if (isExit(cli)) {
    (cli.code === 0 ? host.stdout : host.stderr).write(cli.text);
    // Standard output may be a pipe that is still being written: the process exits when it is empty.
    host.exitCode = cli.code;
    return;
  }
  const stopping = new AbortController();
  const onSignal = (): void => {
    // After the first signal, the program releases its Leases and logs out; a second signal does not wait for that.
    if (stopping.signal.aborted) host.exit(1);
    stopping.abort();
  };
  host.on('SIGTERM', onSignal);
  host.on('SIGINT', onSignal);
  try {
    const write = (line: string): void => void host.stderr.write(line);
    await run(cli as Exclude<Cli, CliExit>, { env: host.env, write, signal: stopping.signal });
    host.exit(0);
  } catch (error) {
    const { code, message, remedy } = toVdoError(error);
    host.stderr.write(redactText(`${name}: ${code}: ${message}\n\n${remedy}\n`));
    host.exit(1);
  }
};
