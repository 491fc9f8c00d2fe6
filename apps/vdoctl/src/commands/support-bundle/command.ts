import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, durationOption, noColorOption } from '../../cli/options.ts';

export interface SupportBundleFlags extends ClusterFlags {
  readonly out?: string;
  readonly since: number;
}

export const supportBundleCommand: CommandSpec<SupportBundleFlags> = {
  path: ['support-bundle'],
  summary: 'Collect objects, events and logs for a support request, without secrets.',
  details:
    'The layout is that of must-gather. Values of Secrets are replaced by their length and a fingerprint, and hidden wherever else they turn up. What cannot be read is listed in failures.txt.',
  options: [
    {
      flags: '--out <path>',
      description: 'a new folder, or a file that ends in .tar.gz (default: vdo-support-TIME.tar.gz here)',
    },
    { flags: '--since <time>', description: 'how far logs go back', ...durationOption(86_400) },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl support-bundle', purpose: 'an archive in the current folder' },
    { command: 'vdoctl support-bundle --out must-gather --since 2h', purpose: 'a folder, with logs of two hours' },
  ],
};
