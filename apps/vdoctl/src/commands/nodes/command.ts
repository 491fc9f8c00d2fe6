import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, type OutputFlags, outputOptions } from '../../cli/options.ts';

export type NodesFlags = OutputFlags & ClusterFlags;

export const nodesCommand: CommandSpec<NodesFlags> = {
  path: ['nodes'],
  summary: 'Show which VM each node is, and why where it does not fit.',
  details: 'Ends with 3 if a node has a problem.',
  options: [...outputOptions, ...clusterOptions],
  examples: [{ command: 'vdoctl nodes -o wide', purpose: 'with UUIDs, addresses and settings of the VMs' }],
};
