import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, type OutputFlags, outputOptions } from '../../cli/options.ts';

export type VersionsFlags = OutputFlags & ClusterFlags;

export const versionsCommand: CommandSpec<VersionsFlags> = {
  path: ['versions'],
  alias: 'version',
  summary: 'Show the versions of vdoctl, operator, drivers, Kubernetes, vCenters and matrix.',
  details: 'Components that cannot be reached are shown as unknown.',
  options: [...outputOptions, ...clusterOptions],
  examples: [{ command: 'vdoctl versions -o yaml', purpose: 'for a bug report' }],
};
