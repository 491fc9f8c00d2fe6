import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, type OutputFlags, outputOptions } from '../../cli/options.ts';

export type NodesFlags = OutputFlags & ClusterFlags;

export const nodesCommand: CommandSpec<NodesFlags> = {
  path: ['nodes'],
  summary: 'Show the VM behind each Node and explain mismatches.',
  details: 'Ends with 3 if a check of a listed node fails.',
  arguments: [{ name: '[names...]', description: 'only these nodes' }],
  options: [...outputOptions, ...clusterOptions],
  examples: [
    { command: 'vdoctl nodes -o wide', purpose: 'with UUIDs, addresses and settings of the VMs' },
    { command: 'vdoctl nodes worker-1 worker-2', purpose: 'these two alone' },
  ],
};
