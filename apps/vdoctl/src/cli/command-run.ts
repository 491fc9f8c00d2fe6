import type { CommandSpec } from './command.ts';
import type { CliContext } from './context.ts';

/** What a command found out: 0 done, or one of `exitCodes`. */
export type CommandResult = number | undefined;

export type CommandRun<Flags> = (
  context: CliContext,
  flags: Flags,
  args: readonly string[],
) => CommandResult | Promise<CommandResult>;

/** A command with what it does, whose flags only it knows. It is loaded when run: `--help` must not pay for SOAP. */
export interface AnyCommand extends CommandSpec<unknown> {
  readonly load: () => Promise<CommandRun<never>>;
}
