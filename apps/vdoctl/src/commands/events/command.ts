import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  clusterOptions,
  durationOption,
  type OutputFlags,
  outputOptions,
} from '../../cli/options.ts';

export interface EventsFlags extends OutputFlags, ClusterFlags {
  readonly warnings: boolean;
  /** Seconds. */
  readonly since: number;
}

export const eventsCommand: CommandSpec<EventsFlags> = {
  path: ['events'],
  summary: 'List what the operator and the drivers reported, oldest first.',
  options: [
    { flags: '--warnings', description: 'warnings alone', default: false },
    { flags: '--since <time>', description: 'how far to look back, such as 30m', ...durationOption(3600) },
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl events --warnings --since 10m', purpose: 'what went wrong in the last ten minutes' }],
};
