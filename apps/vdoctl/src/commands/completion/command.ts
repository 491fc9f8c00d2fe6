import type { CommandSpec } from '../../cli/command.ts';
import { noColorOption } from '../../cli/options.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const completionCommand: CommandSpec<Readonly<Record<string, never>>> = {
  path: ['completion'],
  summary: 'Print a script that teaches a shell to complete vdoctl.',
  arguments: [{ name: '<shell>', description: 'which shell', choices: shells }],
  options: [noColorOption],
  examples: [
    { command: 'source <(vdoctl completion bash)', purpose: 'this bash' },
    { command: 'vdoctl completion zsh > ~/.zfunc/_vdoctl', purpose: 'every zsh with ~/.zfunc in its fpath' },
    { command: 'vdoctl completion fish | source', purpose: 'this fish' },
  ],
};

/** For the scripts alone: people have the lists themselves. */
export const completionNamesCommand: CommandSpec<Readonly<Record<string, never>>> = {
  path: ['completion', 'names'],
  hidden: true,
  summary: 'Print names that a shell may complete, one per line.',
  details: 'For completion scripts. Prints nothing where the cluster does not answer within three seconds.',
  arguments: [
    { name: '<kind>', description: 'of what', choices: ['nodes', 'volumes', 'words', 'checks'] },
    { name: '[line...]', description: 'the command line so far, behind --' },
  ],
  options: [noColorOption],
  examples: [{ command: 'vdoctl completion names nodes', purpose: 'the names of all nodes' }],
};
