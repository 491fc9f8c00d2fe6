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
