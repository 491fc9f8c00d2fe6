import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, durationOption, noColorOption } from '../../cli/options.ts';

export interface SupportBundleFlags extends ClusterFlags {
  readonly out?: string;
  readonly since: number;
}

export const supportBundleCommand: CommandSpec<SupportBundleFlags> = {
  path: ['support-bundle'],
  summary: 'Collect objects, events and logs for a support request, without passwords.',
  details:
    'Uses the layout of must-gather. Values of Secrets are replaced by their length and a fingerprint, in all files. What could not be read is listed in failures.txt.',
  options: [
    {
      flags: '--out <path>',
      description: 'new folder, or file ending in .tar.gz (default: vdo-support-TIME.tar.gz in the current folder)',
    },
    { flags: '--since <time>', description: 'period of the logs, such as 24h', ...durationOption(86_400) },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl support-bundle', purpose: 'write an archive to the current folder' },
    {
      command: 'vdoctl support-bundle --out must-gather --since 2h',
      purpose: 'write a folder, with logs of the last two hours',
    },
  ],
};
