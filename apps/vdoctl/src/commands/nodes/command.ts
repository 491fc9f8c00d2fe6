import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  clusterOptions,
  listOutputOptions,
  type OutputFlags,
  type SelectorFlags,
  selectorOption,
  type WatchFlags,
  watchOption,
} from '../../cli/options.ts';

export type NodesFlags = OutputFlags & ClusterFlags & WatchFlags & SelectorFlags;

export const nodesCommand: CommandSpec<NodesFlags> = {
  path: ['nodes'],
  summary: 'Show the VM behind each Node and explain mismatches.',
  details: 'Ends with 3 if a check of a listed node fails.',
  arguments: [{ name: '[names...]', description: 'only these nodes', completes: 'nodes' }],
  options: [watchOption, selectorOption('nodes'), ...listOutputOptions, ...clusterOptions],
  examples: [
    { command: 'vdoctl nodes -o wide', purpose: 'with UUIDs, addresses and settings of the VMs' },
    { command: 'vdoctl nodes worker-1 worker-2', purpose: 'these two alone' },
    { command: 'vdoctl nodes -l topology.kubernetes.io/zone=z1 --watch', purpose: 'those of a zone, kept up to date' },
    { command: "vdoctl nodes -o jsonpath='{[*].vm}'", purpose: 'the VMs alone, for a script' },
  ],
};
