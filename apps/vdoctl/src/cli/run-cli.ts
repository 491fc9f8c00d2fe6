import { toVdoError } from '@vdo/base/vdo-error';
import { CommanderError } from 'commander';
import { buildProgram } from './build-program.ts';
import type { CommandGroup } from './command.ts';
import type { AnyCommand } from './command-run.ts';
import type { CliContext } from './context.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { helpFirst, moveGlobalFlags, takeSandbox, withPresentFlags } from './global-flags.ts';
import { printError } from './print-error.ts';
import { sandboxTerminal } from './sandbox-terminal.ts';
import { usageError } from './usage-error.ts';

export interface Cli {
  readonly commands: readonly AnyCommand[];
  readonly groups: readonly CommandGroup[];
}

/** Runs one command line and returns the exit code. Every error is caught and printed with its remedy. */
export const runCli = async (cli: Cli, given: readonly string[], world: Omit<CliContext, 'cli'>): Promise<number> => {
  const { argv, sandbox } = takeSandbox(given);
  const named = sandbox === undefined ? {} : { env: { ...world.env, VDO_SANDBOX: sandbox } };
  const names = cli.commands.flatMap(({ path: [first] }) => first ?? []);
  const ofSandbox = sandbox === undefined ? {} : { terminal: sandboxTerminal(world.terminal, sandbox, names) };
  const context: CliContext = { ...world, ...named, ...ofSandbox, cli };
  const { terminal } = context;
  const words = withPresentFlags(helpFirst(moveGlobalFlags(argv)));
  let exitCode: number = exitCodes.done;
  const program = buildProgram({
    ...cli,
    version: context.version,
    write: { out: world.terminal.out, err: world.terminal.err },
    columns: terminal.columns,
    run: async (command, flags, args) => {
      const run = await command.load();
      // The type of the flags is known only to the command; commander has validated them.
      exitCode = (await run(context, flags as never, args)) ?? exitCodes.done;
    },
  });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done;
      const problem = usageError(cli, words, error);
      if (problem) printError(terminal, problem, { debug: false });
      return exitCodes.usage;
    }
    if (context.signal.aborted) {
      terminal.err('Interrupted.\n');
      return exitCodes.interrupted;
    }
    const problem = toVdoError(error);
    printError(terminal, problem, { debug: (context.env['VDO_DEBUG'] ?? '') !== '' });
    return exitCodeOf(problem.code);
  }
};
