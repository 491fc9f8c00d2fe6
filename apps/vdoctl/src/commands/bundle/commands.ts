import { names } from '@vdo/config/names';
import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  clusterOptions,
  noColorOption,
  type OutputFlags,
  outputOptions,
} from '../../cli/options.ts';
import { type RegistryFlags, registryOptions } from '../../shared/registry/open-registry.ts';
import { repeated } from '../../shared/vsphere/target-options.ts';

const trustOption = (description: string) => ({
  flags: '--trust <file>',
  description,
  parse: repeated,
  default: [],
});

export interface BundleCreateFlags extends ClusterFlags, RegistryFlags {
  readonly images: readonly string[];
  readonly pull?: boolean;
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
  summary: 'Create a bundle for a cluster without internet access: matrix, manifests, image list and mirror commands.',
  details:
    'The bundle contains no Secrets, and images with --images or --pull alone: bundle load then copies them to the mirror. Otherwise its README lists the commands that mirror them with skopeo, oras or ctr. The same input gives an identical archive. With --file, --kubernetes and --vsphere, no cluster is needed.',
  options: [
    {
      flags: '--output <file>',
      description: 'archive to write, such as vdo.tar; it must not exist yet',
      required: true,
    },
    {
      flags: '--registry <host>',
      description:
        'mirror registry in the air-gapped network, as HOST[:PORT][/PATH]; the manifests in the bundle use it',
      required: true,
    },
    { flags: '--file <file>', description: 'VSphereDrivers resource (default: read from the cluster)' },
    { flags: '--kubernetes <version>', description: 'Kubernetes version (default: read from the cluster)' },
    { flags: '--vsphere <version>', description: 'vCenter version (default: as reported by the operator)' },
    {
      flags: '--matrix <source>',
      description: 'signed matrix: file or URL (default: the one in use in the cluster, otherwise the built-in one)',
    },
    trustOption('with --matrix: trusted public key (PEM), repeatable (default: the trusted keys of the cluster)'),
    {
      flags: '--from <host>',
      description:
        'source registry of driver images whose names have no registry; without it, you fill it in yourself in the mirror commands',
    },
    {
      flags: '--vdo-from <host>',
      description: 'source registry of the VDO image; without it, you fill it in yourself in the mirror commands',
    },
    { flags: '--image <name>', description: 'name of the VDO image, without tag', default: names.image },
    {
      flags: '--sign <file>',
      description: 'private Ed25519 key (PEM) that signs the bundle, for bundle verify --trust',
    },
    {
      flags: '--images <folder>',
      description: 'put images from this folder (OCI layout, as npm run image writes it) into the bundle; repeatable',
      parse: repeated,
      default: [],
    },
    { flags: '--pull', description: 'put the images that no folder has into the bundle, from their registries' },
    ...registryOptions.map((option) => ({ ...option, group: 'With --pull' })),
    { flags: '--operator-version <version>', description: 'operator version (default: the version of vdoctl)' },
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
    {
      command: 'vdoctl bundle create --output vdo.tar --registry HOST --images dist/images',
      purpose: 'with images',
    },
  ],
};

export interface BundleVerifyFlags extends OutputFlags {
  readonly trust: readonly string[];
}

export const bundleVerifyCommand: CommandSpec<BundleVerifyFlags> = {
  path: ['bundle', 'verify'],
  summary: 'Verify a bundle: files unchanged, matrix valid, all images listed.',
  details:
    'Needs no cluster. Exits with code 3 if the bundle is invalid. With --trust, the bundle must be signed by one of the keys, and so must a signed matrix in it. Without --trust, damage is detected, but not a deliberate change.',
  arguments: [{ name: '<file>', description: 'archive created by vdoctl bundle create' }],
  options: [trustOption('trusted public key (PEM) for the bundle and its matrix; repeatable'), ...outputOptions],
  examples: [
    {
      command: 'vdoctl bundle verify vdo.tar --trust publisher.pem',
      purpose: 'after copying it to the air-gapped network',
    },
  ],
};

export interface BundleLoadFlags extends RegistryFlags {
  readonly registry?: string;
  readonly trust: readonly string[];
}

export const bundleLoadCommand: CommandSpec<BundleLoadFlags> = {
  path: ['bundle', 'load'],
  summary: 'Copy the images of a bundle to a registry.',
  details:
    'Needs no cluster and no other program. The bundle is verified first. What the registry has is not sent again: after an interruption, run the command again. Each image gets its name when it is complete. Prints the settings that make VDO use the registry.',
  arguments: [{ name: '<file>', description: 'archive that bundle create wrote with --images or --pull' }],
  options: [
    { flags: '--registry <host>', description: 'registry as HOST[:PORT][/PATH] (default: the one in the bundle)' },
    ...registryOptions,
    trustOption('trusted public key (PEM) for the bundle and its matrix; repeatable'),
    noColorOption,
  ],
  examples: [
    {
      command: 'vdoctl bundle load vdo.tar --registry mirror.example.com:5000 --user admin --ca-file ca.pem',
      purpose: 'with a login and its own CA',
    },
  ],
};
