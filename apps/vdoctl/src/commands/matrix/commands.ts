import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  type OutputFlags,
  outputOptions,
  yesOption,
} from '../../cli/options.ts';
import type { TrustFlags } from '../../shared/releases/trusted-keys.ts';

export interface MatrixSourceFlags extends ClusterFlags {
  readonly file?: string;
  readonly builtIn: boolean;
}

const matrixSourceOptions: readonly OptionSpec[] = [
  { flags: '--file <file>', description: 'a matrix file' },
  { flags: '--built-in', description: 'the matrix built into vdoctl; asks no cluster', default: false },
];

const whichMatrix =
  'The matrix is the one that the operator of the cluster uses, or the one built into vdoctl where no cluster answers; the output tells which.';

export interface MatrixShowFlags extends OutputFlags, MatrixSourceFlags {
  readonly driver?: 'cpi' | 'csi';
  readonly distribution?: 'Native' | 'Upstream';
}

export const matrixShowCommand: CommandSpec<MatrixShowFlags> = {
  path: ['matrix', 'show'],
  summary: 'List the releases of the compatibility matrix, newest first.',
  details: whichMatrix,
  options: [
    ...matrixSourceOptions,
    { flags: '--driver <driver>', description: 'one driver alone', choices: ['cpi', 'csi'] },
    { flags: '--distribution <name>', description: 'one distribution alone', choices: ['Native', 'Upstream'] },
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl matrix show --driver csi', purpose: 'all releases of the storage driver' }],
};

export interface MatrixWhyFlags extends OutputFlags, MatrixSourceFlags {
  readonly kubernetes: string;
  readonly vsphere: string;
  readonly distribution: 'Native' | 'Upstream';
  readonly installed?: string;
}

export const matrixWhyCommand: CommandSpec<MatrixWhyFlags> = {
  path: ['matrix', 'why'],
  summary: 'Tell which release would be chosen for given versions, and what speaks against each other one.',
  details: `Ends with 1 if no release fits. Works without a cluster. ${whichMatrix}`,
  arguments: [{ name: '<driver>', description: 'which driver', choices: ['cpi', 'csi'] }],
  options: [
    { flags: '--kubernetes <version>', description: 'version of Kubernetes, such as 1.34.1', required: true },
    { flags: '--vsphere <version>', description: 'version of vCenter, such as 8.0.3', required: true },
    {
      flags: '--distribution <name>',
      description: 'whose releases',
      choices: ['Native', 'Upstream'],
      default: 'Native',
    },
    { flags: '--installed <version>', description: 'release that runs now: older ones are then refused' },
    ...matrixSourceOptions,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl matrix why csi --kubernetes 1.34 --vsphere 8.0.3', purpose: 'the choice and its reasons' },
  ],
};

const collect = (text: string, previous: unknown): readonly string[] => [
  ...(Array.isArray(previous) ? (previous as readonly string[]) : []),
  text,
];

const trustOption: OptionSpec = {
  flags: '--trust <file>',
  description: 'public key (PEM) that may sign it, once per key (default: spec.updates.trustedKeys of the cluster)',
  parse: collect,
};

const sourceArgument = {
  name: '<source>',
  description: 'file or address; its signature is beside it, with .sig appended',
  completes: 'files',
} as const;

export interface MatrixVerifyFlags extends OutputFlags, TrustFlags {
  readonly signature?: string;
}

export const matrixVerifyCommand: CommandSpec<MatrixVerifyFlags> = {
  path: ['matrix', 'verify'],
  summary: 'Tell whether a trusted key signed a matrix, and whether the matrix is sound.',
  details: 'With --trust it works without a cluster. Ends with 1 if the signature or the matrix is wrong.',
  arguments: [sourceArgument],
  options: [
    { flags: '--signature <file>', description: 'signature that is not beside the matrix' },
    trustOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl matrix verify matrix.json --trust publisher.pem',
      purpose: 'before it goes to an air-gapped site',
    },
  ],
};

export interface MatrixPullFlags extends OutputFlags, TrustFlags {
  readonly to: string;
}

export const matrixPullCommand: CommandSpec<MatrixPullFlags> = {
  path: ['matrix', 'pull'],
  summary: 'Fetch a matrix and its signature, verify them, and keep them as files.',
  details: 'What does not verify is not kept, nor is a matrix older than the file that is there.',
  arguments: [sourceArgument],
  options: [
    { flags: '--to <file>', description: 'where to keep it; the signature goes beside it', default: 'matrix.json' },
    trustOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl matrix pull https://example.com/matrix.json --trust publisher.pem --to matrix.json',
      purpose: 'fetch it where there is a network',
    },
  ],
};

export interface MatrixUpdateFlags extends OutputFlags, TrustFlags, ConfirmFlags {
  readonly configmap: string;
}

export const matrixUpdateCommand: CommandSpec<MatrixUpdateFlags> = {
  path: ['matrix', 'update'],
  summary: 'Give the operator a matrix: verified, kept in a ConfigMap, and named in spec.updates.matrix.',
  details:
    'The serial never goes back behind the matrix in use. Keys given with --trust that the cluster does not trust yet are added to spec.updates.trustedKeys.',
  arguments: [sourceArgument],
  options: [
    {
      flags: '--configmap <name>',
      description: "ConfigMap in the operator's namespace",
      default: 'compatibility-matrix',
    },
    trustOption,
    yesOption,
    dryRunOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl matrix update matrix.json --dry-run', purpose: 'what would change' },
    { command: 'vdoctl matrix update matrix.json --trust publisher.pem --yes', purpose: 'on a site without network' },
  ],
};
