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
  summary: 'Show the overall health, what runs, what fails, and how to fix it.',
  details:
    'Exits with code 0 if the health is Healthy or Attention (warnings, but no failed check), otherwise with code 3. With --strict, Attention also gives code 3.',
  options: [
    watchOption,
    {
      flags: '--refresh',
      description: 'run all checks now and wait for the results',
      default: false,
    },
    { flags: '--strict', description: 'exit with code 3 also for Attention', default: false },
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl status', purpose: 'show the cluster of the current context' },
    { command: 'vdoctl status --watch', purpose: 'follow an install or an upgrade' },
    { command: 'vdoctl status --refresh', purpose: 'after a fix, run all checks now' },
    { command: 'vdoctl status -o json | jq .health', purpose: 'for scripts' },
  ],
};
