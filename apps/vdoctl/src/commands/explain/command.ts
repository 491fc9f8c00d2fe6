import type { CommandSpec } from '../../cli/command.ts';
import { listOutputOptions, type OutputFlags } from '../../cli/options.ts';

export const explainCommand: CommandSpec<OutputFlags> = {
  path: ['explain'],
  summary:
    'Explain any word that the product shows: error codes, health checks, conditions, reasons, events, alerts and metrics.',
  details:
    'Part of a name lists everything that contains it; without a name everything is listed. Works without a cluster.',
  arguments: [
    {
      name: '[word]',
      description: 'such as VCenterLoginRejected, node/disk-enable-uuid, Degraded or datastore',
      completes: 'words',
    },
  ],
  options: listOutputOptions,
  examples: [
    { command: 'vdoctl explain VCenterThumbprintMismatch', purpose: 'an error code' },
    { command: 'vdoctl explain credentials/login', purpose: 'a health check' },
    { command: 'vdoctl explain datastore', purpose: 'everything with datastore in its name' },
  ],
};
