import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  noColorOption,
  type WaitFlags,
  waitOptions,
  yesOption,
} from '../../cli/options.ts';

export interface UninstallFlags extends ClusterFlags, ConfirmFlags, WaitFlags {
  readonly orphanVolumes: boolean;
  readonly keepCrds: boolean;
}

export const uninstallCommand: CommandSpec<UninstallFlags> = {
  path: ['uninstall'],
  summary: 'Remove the drivers, then the operator and its CRDs.',
  details:
    'Never deletes volumes. If volumes or attachments of the driver exist, refuses to remove anything unless --orphan-volumes is set.',
  options: [
    {
      flags: '--orphan-volumes',
      description: 'remove the drivers although volumes exist; the volumes are kept, without a driver',
      default: false,
      group: 'Change:',
    },
    {
      flags: '--keep-crds',
      description: 'keep the CRDs',
      default: false,
      group: 'Change:',
    },
    yesOption,
    dryRunOption,
    ...waitOptions,
    noColorOption,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl uninstall', purpose: 'ask, remove, and wait until everything is removed' }],
};
