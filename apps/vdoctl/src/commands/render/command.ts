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
  summary: 'Print the manifests and steps to install the drivers manually, without the operator.',
  details:
    'These are the same manifests that the operator applies. Without --with-credentials, Secrets are left out and a step shows how to create them. With --file, --kubernetes and --vsphere, no cluster is needed.',
  options: [
    { flags: '--file <file>', description: 'VSphereDrivers resource (default: read from the cluster)' },
    { flags: '--kubernetes <version>', description: 'Kubernetes version (default: read from the cluster)' },
    { flags: '--vsphere <version>', description: 'vCenter version (default: as reported by the operator)' },
    { flags: '--out-dir <folder>', description: 'write one file per step and a README to this folder' },
    {
      flags: '--with-credentials',
      description: 'also render the Secrets, with the credentials in the cluster',
      default: false,
    },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl render --file drivers.yaml --out-dir manual',
      purpose: 'write the files, then follow manual/README.md',
    },
    {
      command: 'vdoctl render --file drivers.yaml --kubernetes 1.34.1 --vsphere 8.0.3',
      purpose: 'without a cluster',
    },
  ],
};
