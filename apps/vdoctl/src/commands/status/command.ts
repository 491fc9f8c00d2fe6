import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  clusterOptions,
  type OutputFlags,
  outputOptions,
  type WatchFlags,
  watchOption,
} from '../../cli/options.ts';

export interface StatusFlags extends OutputFlags, ClusterFlags, WatchFlags {
  readonly strict: boolean;
  readonly refresh: boolean;
}

export const statusCommand: CommandSpec<StatusFlags> = {
  path: ['status'],
  summary: 'Show how the drivers are: one word first, then what runs, what fails and what helps.',
  details:
    'Ends with 0 if the word is Healthy or Attention (checks warn, none fails), and with 3 if it is any other. With --strict, Attention ends with 3 too.',
  options: [
    watchOption,
    {
      flags: '--refresh',
      description: 'run all checks now and wait for the result',
      default: false,
    },
    { flags: '--strict', description: 'end with 3 for Attention as well', default: false },
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl status', purpose: 'the cluster of the current context' },
    { command: 'vdoctl status --watch', purpose: 'follow an install or an upgrade' },
    { command: 'vdoctl status --refresh', purpose: 'after a repair: check everything now' },
    { command: 'vdoctl status -o json | jq .health', purpose: 'for scripts' },
  ],
};
