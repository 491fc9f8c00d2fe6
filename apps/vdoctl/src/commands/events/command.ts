import type { CommandSpec } from '../../cli/command.ts';
import {
  durationOption,
  listOutputOptions,
  type NamespacedListFlags,
  namespacedListOptions,
  type OutputFlags,
  type WatchFlags,
  watchOption,
} from '../../cli/options.ts';

export interface EventsFlags extends OutputFlags, NamespacedListFlags, WatchFlags {
  readonly warnings: boolean;
  /** Seconds. */
  readonly since: number;
}

export const eventsCommand: CommandSpec<EventsFlags> = {
  path: ['events'],
  summary: 'List what the operator and the drivers reported, oldest first.',
  arguments: [
    {
      name: '[objects...]',
      description: 'only events about these: NAME, or KIND/NAME such as node/worker-1 or persistentvolumeclaim/data-0',
    },
  ],
  options: [
    watchOption,
    { flags: '--warnings', description: 'warnings alone', default: false },
    { flags: '--since <time>', description: 'how far to look back, such as 30m', ...durationOption(3600) },
    ...namespacedListOptions('events about objects'),
    ...listOutputOptions,
  ],
  examples: [
    { command: 'vdoctl events --warnings --since 10m', purpose: 'what went wrong in the last ten minutes' },
    { command: 'vdoctl events --watch', purpose: 'what goes on now' },
    { command: 'vdoctl events node/worker-1 --since 24h', purpose: 'all about one node' },
  ],
};
