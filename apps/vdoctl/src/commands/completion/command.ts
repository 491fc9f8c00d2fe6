import type { CommandSpec } from '../../cli/command.ts';
import { noColorOption } from '../../cli/options.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const completionCommand: CommandSpec<Readonly<Record<string, never>>> = {
  path: ['completion'],
  summary: 'Print the completion script for a shell.',
  arguments: [{ name: '<shell>', description: 'name of the shell', choices: shells }],
  options: [noColorOption],
  examples: [
    { command: 'source <(vdoctl completion bash)', purpose: 'for the current bash session' },
    { command: 'vdoctl completion zsh > ~/.zfunc/_vdoctl', purpose: 'for every zsh session, if ~/.zfunc is in fpath' },
    { command: 'vdoctl completion fish | source', purpose: 'for the current fish session' },
  ],
};

/** Called by the completion scripts only. */
export const completionNamesCommand: CommandSpec<Readonly<Record<string, never>>> = {
  path: ['completion', 'names'],
  hidden: true,
  summary: 'Print names for shell completion, one per line.',
  details: 'For completion scripts. Prints nothing if the cluster does not answer within three seconds.',
  arguments: [
    {
      name: '<kind>',
      description: 'kind of names; words are those of vdoctl explain',
      choices: ['nodes', 'volumes', 'words', 'checks'],
    },
    { name: '[line...]', description: 'the command line so far, after --' },
  ],
  options: [noColorOption],
  examples: [{ command: 'vdoctl completion names nodes', purpose: 'print the names of all nodes' }],
};
