import type { CommandSpec } from './command.ts';
import type { CliContext } from './context.ts';

/** The exit code: 0 for success, or one of `exitCodes`. */
export type CommandResult = number | undefined;

export type CommandRun<Flags> = (
  context: CliContext,
  flags: Flags,
  args: readonly string[],
) => CommandResult | Promise<CommandResult>;

/** A command and the function that runs it, loaded only when needed: `--help` must not load the SOAP client. */
export interface AnyCommand extends CommandSpec<unknown> {
  readonly load: () => Promise<CommandRun<never>>;
}
