import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  type OutputFlags,
  outputOptions,
  type WaitFlags,
  waitOptions,
  yesOption,
} from '../../cli/options.ts';

export interface UpgradeFlags extends OutputFlags, ClusterFlags, ConfirmFlags, WaitFlags {}

export const upgradeCommand: CommandSpec<UpgradeFlags> = {
  path: ['upgrade'],
  summary: 'Upgrade the drivers to the newest compatible releases.',
  details:
    'Shows the releases and the reasons, asks for confirmation, and sets spec.updates.versions. The operator upgrades step by step, and rolls back automatically if a release does not become healthy. -o wide shows why newer releases were not selected.',
  options: [yesOption, dryRunOption, ...waitOptions, ...outputOptions, ...clusterOptions],
  examples: [
    { command: 'vdoctl upgrade --dry-run -o wide', purpose: 'show the plan, with all reasons' },
    { command: 'vdoctl upgrade --yes', purpose: 'in a script; waits until it is done' },
  ],
};

export interface UpgradeCheckFlags extends OutputFlags, ClusterFlags {
  readonly kubernetes?: string;
  readonly vsphere?: string;
}

export const upgradeCheckCommand: CommandSpec<UpgradeCheckFlags> = {
  path: ['upgrade', 'check'],
  summary: 'Check whether the drivers support a planned Kubernetes or vSphere upgrade.',
  details: 'Changes nothing. Exits with code 3 if a driver has no compatible release.',
  options: [
    { flags: '--kubernetes <version>', description: 'planned Kubernetes version (default: the current version)' },
    { flags: '--vsphere <version>', description: 'planned vCenter version (default: the current versions)' },
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl upgrade check --kubernetes 1.35 --vsphere 9.0', purpose: 'before a maintenance window' },
  ],
};

export interface RollbackFlags extends UpgradeFlags {
  readonly toCpi?: string;
  readonly toCsi?: string;
}

export const rollbackCommand: CommandSpec<RollbackFlags> = {
  path: ['rollback'],
  summary: 'Roll back each driver to its previous good release, and pin it.',
  details:
    'The previous good release is the newest one that is older than the running release and was healthy in this cluster. The operator remembers it even if it is no longer in the matrix. A release that may not be able to read what the running release has stored is refused, and nothing is changed. Sets spec.updates.policy to Pinned; to upgrade again, run vdoctl upgrade. The operator rolls back automatically if a release does not become healthy. Use this command for problems that the operator cannot detect.',
  options: [
    {
      flags: '--to-cpi <version>',
      description: 'CPI release to roll back to (default: the previous good one)',
      group: 'Change:',
    },
    {
      flags: '--to-csi <version>',
      description: 'CSI release to roll back to (default: the previous good one)',
      group: 'Change:',
    },
    yesOption,
    dryRunOption,
    ...waitOptions,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl rollback --to-csi 0.1.0', purpose: 'roll back the storage driver only' }],
};
