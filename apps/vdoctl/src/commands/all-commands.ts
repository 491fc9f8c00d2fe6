import type { AnyCommand, CommandGroup } from '../cli/command.ts';
import { completionCommand } from './completion/command.ts';
import { eventsCommand } from './events/command.ts';
import { explainCommand } from './explain/command.ts';
import { matrixShowCommand, matrixWhyCommand } from './matrix/commands.ts';
import { statusCommand } from './status/command.ts';

/** Every command, in the order in which the help lists them. */
export const allCommands: readonly AnyCommand[] = [
  statusCommand,
  eventsCommand,
  matrixShowCommand,
  matrixWhyCommand,
  explainCommand,
  completionCommand,
];

export const commandGroups: readonly CommandGroup[] = [
  { path: ['matrix'], summary: 'The compatibility matrix: which releases fit which Kubernetes and vSphere versions.' },
];
