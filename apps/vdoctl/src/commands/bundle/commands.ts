import { names } from '@vdo/config/names';
import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  clusterOptions,
  noColorOption,
  type OutputFlags,
  outputOptions,
} from '../../cli/options.ts';
import { repeated } from '../../shared/vsphere/target-options.ts';

const trustOption = (description: string) => ({
  flags: '--trust <file>',
  description,
  parse: repeated,
  default: [],
});

export interface BundleCreateFlags extends ClusterFlags {
  readonly output: string;
  readonly registry: string;
  readonly file?: string;
  readonly kubernetes?: string;
  readonly vsphere?: string;
  readonly matrix?: string;
  readonly trust: readonly string[];
  readonly from?: string;
  readonly vdoFrom?: string;
  readonly image: string;
  readonly operatorVersion?: string;
  readonly sign?: string;
}

export const bundleCreateCommand: CommandSpec<BundleCreateFlags> = {
  path: ['bundle', 'create'],
  summary:
    'Pack what a cluster without internet needs: matrix, manifests, list of images, and the commands to mirror them.',
  details:
    'The images themselves are not in it: its README has the exact commands for skopeo, oras and ctr. Neither are Secrets. The same input gives the same bytes. With --file, --kubernetes and --vsphere no cluster is needed.',
  options: [
    {
      flags: '--output <file>',
      description: 'archive to write, such as vdo.tar; nothing is overwritten',
      required: true,
    },
    {
      flags: '--registry <host>',
      description: 'mirror inside: host, with port and path if needed; becomes spec.images.registry',
      required: true,
    },
    { flags: '--file <file>', description: 'VSphereDrivers resource (default: that of the cluster)' },
    { flags: '--kubernetes <version>', description: 'version of Kubernetes (default: that of the cluster)' },
    { flags: '--vsphere <version>', description: 'version of the vCenters (default: as the operator saw them)' },
    {
      flags: '--matrix <source>',
      description: 'signed matrix, file or address (default: the one in use in the cluster, else the built-in one)',
    },
    trustOption('with --matrix: public key (PEM) that may sign it, once per key (default: those of the cluster)'),
    {
      flags: '--from <host>',
      description: 'registry that has images of drivers whose names carry none; else the README asks',
    },
    { flags: '--vdo-from <host>', description: 'registry that has the image of VDO; else the README asks' },
    { flags: '--image <name>', description: 'image of VDO without its tag', default: names.image },
    {
      flags: '--sign <file>',
      description: 'private Ed25519 key (PEM) with which the whole bundle is signed: verify --trust takes no other',
    },
    { flags: '--operator-version <version>', description: 'version of the operator (default: that of vdoctl)' },
    noColorOption,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl bundle create --output vdo.tar --registry mirror.example.com',
      purpose: 'for this cluster',
    },
    {
      command:
        'vdoctl bundle create --output vdo.tar --registry HOST --file drivers.yaml --kubernetes 1.34.1 --vsphere 8.0.3',
      purpose: 'without a cluster',
    },
  ],
};

export interface BundleVerifyFlags extends OutputFlags {
  readonly trust: readonly string[];
}

export const bundleVerifyCommand: CommandSpec<BundleVerifyFlags> = {
  path: ['bundle', 'verify'],
  summary: 'Tell whether a bundle is whole: every file as it was packed, the matrix sound, every image listed.',
  details:
    'Works without a cluster. Ends with 3 if something is wrong. With --trust the bundle as a whole, and its matrix if that has a signature of its own, must be signed by one of the keys. Without it only damage is found, not a change on purpose.',
  arguments: [{ name: '<file>', description: 'archive that vdoctl bundle create wrote' }],
  options: [
    trustOption('public key (PEM) that may have signed the bundle or its matrix, once per key'),
    ...outputOptions,
  ],
  examples: [{ command: 'vdoctl bundle verify vdo.tar --trust publisher.pem', purpose: 'after it was carried inside' }],
};
