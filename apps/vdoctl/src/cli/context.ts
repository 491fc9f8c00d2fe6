import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { CommandGroup, CommandSpec } from './command.ts';

/** The terminal, or a replacement for it in tests. */
export interface Terminal {
  /** Prints a result: scripts read it. */
  out(text: string): void;
  /** Prints progress, a note or an error: users read it. */
  err(text: string): void;
  /** Whether standard input and standard error are a terminal, so that a user can be asked. */
  readonly interactive: boolean;
  /** Whether standard output is a terminal. */
  readonly outIsTerminal: boolean;
  /** Characters per line of standard output; undefined if it is not a terminal. */
  readonly columns: number | undefined;
  /** Lines of the screen; undefined if standard output is not a terminal. */
  readonly rows: number | undefined;
  /** All of standard input, as text. */
  readInput(): Promise<string>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the process passes to a command. The command creates everything else from its flags. */
export interface CliContext {
  readonly terminal: Terminal;
  readonly env: Environment;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Version of vdoctl. */
  readonly version: string;
  /** All commands, for commands such as completion. */
  readonly cli: { readonly commands: readonly CommandSpec<unknown>[]; readonly groups: readonly CommandGroup[] };
}
