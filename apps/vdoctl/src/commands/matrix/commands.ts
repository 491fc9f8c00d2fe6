import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import { type OutputFlags, outputOptions } from '../../cli/options.ts';

export interface MatrixSourceFlags {
  /** A file to read instead of the built-in matrix. */
  readonly file?: string;
}

export const matrixFileOption: OptionSpec = {
  flags: '--file <file>',
  description: 'a matrix file instead of the built-in one',
};

export interface MatrixShowFlags extends OutputFlags, MatrixSourceFlags {
  readonly driver?: 'cpi' | 'csi';
  readonly distribution?: 'Native' | 'Upstream';
}

export const matrixShowCommand: CommandSpec<MatrixShowFlags> = {
  path: ['matrix', 'show'],
  summary: 'List the releases of the compatibility matrix, newest first.',
  options: [
    matrixFileOption,
    { flags: '--driver <driver>', description: 'one driver alone', choices: ['cpi', 'csi'] },
    { flags: '--distribution <name>', description: 'one distribution alone', choices: ['Native', 'Upstream'] },
    ...outputOptions,
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
  details: 'Ends with 1 if no release fits. Works without a cluster.',
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
    matrixFileOption,
    ...outputOptions,
  ],
  examples: [
    { command: 'vdoctl matrix why csi --kubernetes 1.34 --vsphere 8.0.3', purpose: 'the choice and its reasons' },
  ],
};
