import type { AnyCommand, CommandRun } from '../../cli/command.ts';
import { allCommands, commandGroups } from '../all-commands.ts';
import type { Shell } from './command.ts';
import { completionScript } from './script.ts';
import { wordsOf } from './words.ts';

/** vdoctl completion SHELL */
export const completion: CommandRun<unknown> = ({ terminal }, _, [shell]) => {
  const commands: readonly AnyCommand[] = allCommands;
  terminal.out(completionScript(shell as Shell, wordsOf(commands, commandGroups)));
};
