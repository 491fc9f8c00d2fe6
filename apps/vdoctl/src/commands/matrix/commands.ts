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
  { flags: '--file <file>', description: 'matrix file to use' },
  { flags: '--built-in', description: 'use the matrix built into vdoctl; needs no cluster', default: false },
];

const whichMatrix =
  'Uses the matrix of the operator in the cluster. If no cluster answers, uses the matrix built into vdoctl. The output shows which one.';

export interface MatrixShowFlags extends OutputFlags, MatrixSourceFlags {
  readonly driver?: 'cpi' | 'csi';
  readonly distribution?: 'Native' | 'Upstream';
}

export const matrixShowCommand: CommandSpec<MatrixShowFlags> = {
  path: ['matrix', 'show'],
  summary: 'List the driver releases of the compatibility matrix, newest first.',
  details: whichMatrix,
  options: [
    ...matrixSourceOptions,
    { flags: '--driver <driver>', description: 'only this driver', choices: ['cpi', 'csi'] },
    { flags: '--distribution <name>', description: 'only this distribution', choices: ['Native', 'Upstream'] },
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl matrix show --driver csi', purpose: 'list all releases of the storage driver' }],
};

export interface MatrixWhyFlags extends OutputFlags, MatrixSourceFlags {
  readonly kubernetes?: string;
  readonly vsphere?: string;
  readonly distribution: 'Native' | 'Upstream';
  readonly installed?: string;
}

export const matrixWhyCommand: CommandSpec<MatrixWhyFlags> = {
  path: ['matrix', 'why'],
  summary: 'Show which release is selected for given versions, and why the other releases are not selected.',
  details: `Exits with code 1 if no release is compatible. ${whichMatrix}`,
  arguments: [{ name: '<driver>', description: 'driver', choices: ['cpi', 'csi'] }],
  options: [
    {
      flags: '--kubernetes <version>',
      description: 'Kubernetes version, such as 1.34.1 (default: that of the cluster)',
    },
    {
      flags: '--vsphere <version>',
      description: 'vCenter version, such as 8.0.3 (default: those that the operator reports)',
    },
    {
      flags: '--distribution <name>',
      description: 'distribution of the drivers',
      choices: ['Native', 'Upstream'],
      default: 'Native',
    },
    { flags: '--installed <version>', description: 'installed release; older releases are then excluded' },
    ...matrixSourceOptions,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl matrix why csi --kubernetes 1.34 --vsphere 8.0.3',
      purpose: 'show the selected release and the reasons',
    },
  ],
};

const collect = (text: string, previous: unknown): readonly string[] => [
  ...(Array.isArray(previous) ? (previous as readonly string[]) : []),
  text,
];

const trustOption: OptionSpec = {
  flags: '--trust <file>',
  description: 'trusted public key (PEM), repeatable (default: spec.updates.trustedKeys of the cluster)',
  parse: collect,
};

const sourceArgument = {
  name: '<source>',
  description: 'file or URL; the signature has the same name with .sig appended',
  completes: 'files',
} as const;

export interface MatrixVerifyFlags extends OutputFlags, TrustFlags {
  readonly signature?: string;
}

export const matrixVerifyCommand: CommandSpec<MatrixVerifyFlags> = {
  path: ['matrix', 'verify'],
  summary: 'Verify the signature and the content of a matrix.',
  details: 'Needs no cluster if --trust is set. Exits with code 1 if the signature or the matrix is not valid.',
  arguments: [sourceArgument],
  options: [
    { flags: '--signature <file>', description: 'signature file (default: SOURCE.sig)' },
    trustOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl matrix verify matrix.json --trust publisher.pem',
      purpose: 'before copying it to an air-gapped site',
    },
  ],
};

export interface MatrixPullFlags extends OutputFlags, TrustFlags {
  readonly to: string;
}

export const matrixPullCommand: CommandSpec<MatrixPullFlags> = {
  path: ['matrix', 'pull'],
  summary: 'Download a matrix and its signature, verify them, and save them as files.',
  details: 'Saves nothing if the signature is not valid, or if the existing file has a newer matrix.',
  arguments: [sourceArgument],
  options: [
    {
      flags: '--to <file>',
      description: 'file to write; the signature is written to FILE.sig',
      default: 'matrix.json',
    },
    trustOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl matrix pull https://example.com/matrix.json --trust publisher.pem --to matrix.json',
      purpose: 'on a machine with internet access',
    },
  ],
};

export interface MatrixUpdateFlags extends OutputFlags, TrustFlags, ConfirmFlags {
  readonly configmap: string;
}

export const matrixUpdateCommand: CommandSpec<MatrixUpdateFlags> = {
  path: ['matrix', 'update'],
  summary: 'Verify a matrix, store it in a ConfigMap, and configure the operator to use it.',
  details:
    'Sets spec.updates.matrix. Refuses a matrix with a lower serial than the one in use. Adds new keys given with --trust to spec.updates.trustedKeys.',
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
    { command: 'vdoctl matrix update matrix.json --dry-run', purpose: 'show what would change' },
    { command: 'vdoctl matrix update matrix.json --trust publisher.pem --yes', purpose: 'on an air-gapped site' },
  ],
};
