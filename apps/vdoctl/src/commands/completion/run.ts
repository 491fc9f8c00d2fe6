import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import type { Shell } from './command.ts';
import { completionScript } from './script.ts';
import { wordsOf } from './words.ts';

/** vdoctl completion SHELL */
export const completion: CommandRun<unknown> = ({ terminal, cli }, _, [shell]) => {
  terminal.out(completionScript(shell as Shell, wordsOf(cli.commands, cli.groups)));
  return exitCodes.done;
};
