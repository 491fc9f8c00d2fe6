import type { CommandSpec } from '../../cli/command.ts';
import { type ClusterFlags, clusterOptions, noColorOption } from '../../cli/options.ts';

export interface RenderFlags extends ClusterFlags {
  readonly file?: string;
  readonly kubernetes?: string;
  readonly vsphere?: string;
  readonly outDir?: string;
  readonly withCredentials: boolean;
}

export const renderCommand: CommandSpec<RenderFlags> = {
  path: ['render'],
  summary: 'Print the exact manifests and steps for a manual install on this cluster, without the operator.',
  details:
    'The same code renders them for the operator. Secrets are left out, and a step says how to create them, unless --with-credentials is given. With --file, --kubernetes and --vsphere no cluster is needed.',
  options: [
    { flags: '--file <file>', description: 'VSphereDrivers resource (default: that of the cluster)' },
    { flags: '--kubernetes <version>', description: 'version of Kubernetes (default: that of the cluster)' },
    { flags: '--vsphere <version>', description: 'version of the vCenters (default: as the operator saw them)' },
    { flags: '--out-dir <folder>', description: 'write one file per step and a README instead of printing' },
    {
      flags: '--with-credentials',
      description: 'also render the Secrets, from the Secrets of the cluster',
      default: false,
    },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl render --file drivers.yaml --out-dir manual', purpose: 'then follow manual/README.md' },
    {
      command: 'vdoctl render --file drivers.yaml --kubernetes 1.34.1 --vsphere 8.0.3',
      purpose: 'without a cluster',
    },
  ],
};
