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
  details: 'Exits with code 3 if a check of a listed node fails.',
  arguments: [{ name: '[names...]', description: 'only these nodes', completes: 'nodes' }],
  options: [watchOption, selectorOption('nodes'), ...listOutputOptions, ...clusterOptions],
  examples: [
    { command: 'vdoctl nodes -o wide', purpose: 'also show UUIDs, addresses and VM settings' },
    { command: 'vdoctl nodes worker-1 worker-2', purpose: 'show two nodes' },
    { command: 'vdoctl nodes -l topology.kubernetes.io/zone=z1 --watch', purpose: 'watch the nodes of a zone' },
    { command: "vdoctl nodes -o jsonpath='{[*].vm}'", purpose: 'print the VM names only, for a script' },
  ],
};
