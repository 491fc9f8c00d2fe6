import type { CommandSpec } from '../../cli/command.ts';
import { listOutputOptions, type OutputFlags } from '../../cli/options.ts';

export const explainCommand: CommandSpec<OutputFlags> = {
  path: ['explain'],
  summary: 'Explain an error code, health check, condition, reason, event, alert or metric.',
  details:
    'With a part of a name, lists all matches. Without a name, lists everything. Needs no cluster. Texts that refer to "the message" mean the message with this code in vdoctl status, in vdoctl events or in a log. Paths under docs/ are in the repository of VDO.',
  arguments: [
    {
      name: '[word]',
      description: 'name or part of a name, such as VCenterLoginRejected, node/disk-enable-uuid or datastore',
      completes: 'words',
    },
  ],
  options: listOutputOptions,
  examples: [
    { command: 'vdoctl explain VCenterThumbprintMismatch', purpose: 'explain an error code' },
    { command: 'vdoctl explain credentials/login', purpose: 'explain a health check' },
    { command: 'vdoctl explain datastore', purpose: 'list everything with "datastore" in its name' },
  ],
};
