import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { CommandGroup, CommandSpec } from './command.ts';

/** The terminal, or what stands in for it. */
export interface Terminal {
  /** Results: what a script reads. */
  out(text: string): void;
  /** Progress, notes and errors: what a person reads. */
  err(text: string): void;
  /** Whether a person sits at standard input and sees standard error. */
  readonly interactive: boolean;
  /** Whether standard output is a terminal. */
  readonly outIsTerminal: boolean;
  /** Characters per line of standard output; undefined if it is no terminal. */
  readonly columns: number | undefined;
  /** Lines of the screen; undefined if standard output is no terminal. */
  readonly rows: number | undefined;
  /** All of standard input, as text. */
  readInput(): Promise<string>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command gets from the world. Everything else it makes itself from its flags. */
export interface CliContext {
  readonly terminal: Terminal;
  readonly env: Environment;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Version of vdoctl. */
  readonly version: string;
  /** All there is to run, for commands about commands. */
  readonly cli: { readonly commands: readonly CommandSpec<unknown>[]; readonly groups: readonly CommandGroup[] };
}
