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
  summary: 'Show what the newest fitting releases are and why, then let the operator roll them out.',
  details:
    'Names the releases in spec.updates.versions; the operator upgrades step by step and goes back by itself if a release does not become healthy. -o wide tells what speaks against each other release.',
  options: [yesOption, dryRunOption, ...waitOptions, ...outputOptions, ...clusterOptions],
  examples: [
    { command: 'vdoctl upgrade --dry-run -o wide', purpose: 'the plan, with the reasons' },
    { command: 'vdoctl upgrade --yes', purpose: 'in a script; waits until it is done' },
  ],
};

export interface UpgradeCheckFlags extends OutputFlags, ClusterFlags {
  readonly kubernetes?: string;
  readonly vsphere?: string;
}

export const upgradeCheckCommand: CommandSpec<UpgradeCheckFlags> = {
  path: ['upgrade', 'check'],
  summary: 'Tell what an upgrade of Kubernetes or vSphere would mean for the drivers. Changes nothing.',
  details: 'Ends with 3 if a driver would have no fitting release.',
  options: [
    { flags: '--kubernetes <version>', description: 'planned version of Kubernetes (default: that of the cluster)' },
    { flags: '--vsphere <version>', description: 'planned version of the vCenters (default: theirs)' },
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl upgrade check --kubernetes 1.35 --vsphere 9.0', purpose: 'before the upgrade window' }],
};

export interface RollbackFlags extends UpgradeFlags {
  readonly toCpi?: string;
  readonly toCsi?: string;
}

export const rollbackCommand: CommandSpec<RollbackFlags> = {
  path: ['rollback'],
  summary: 'Go back to the release of each driver that was healthy before the last upgrade, and stay there.',
  details:
    'The operator remembers the last releases that were healthy here, also those that the matrix has forgotten. A release that may not read what the running one has written is refused before anything is changed. Sets spec.updates.policy to Pinned. vdoctl upgrade goes forward again. The operator goes back by itself when a release does not become healthy; this is for everything it cannot see.',
  options: [
    {
      flags: '--to-cpi <version>',
      description: 'release of the cloud controller manager, instead of the one before',
      group: 'Change:',
    },
    {
      flags: '--to-csi <version>',
      description: 'release of the storage driver, instead of the one before',
      group: 'Change:',
    },
    yesOption,
    dryRunOption,
    ...waitOptions,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl rollback --to-csi 0.1.0', purpose: 'the storage driver alone' }],
};
