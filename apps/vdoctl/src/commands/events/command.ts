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
  summary: 'List Kubernetes events of the operator and the drivers, oldest first.',
  arguments: [
    {
      name: '[objects...]',
      description:
        'only events for these objects: NAME or KIND/NAME, such as node/worker-1 or persistentvolumeclaim/data-0',
    },
  ],
  options: [
    watchOption,
    { flags: '--warnings', description: 'only warnings', default: false },
    { flags: '--since <time>', description: 'only events newer than this, such as 30m', ...durationOption(3600) },
    ...namespacedListOptions('events for objects'),
    ...listOutputOptions,
  ],
  examples: [
    { command: 'vdoctl events --warnings --since 10m', purpose: 'show warnings of the last ten minutes' },
    { command: 'vdoctl events --watch', purpose: 'follow new events' },
    { command: 'vdoctl events node/worker-1 --since 24h', purpose: 'show all events for one node' },
  ],
};
