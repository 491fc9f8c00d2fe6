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
  readonly keepDefinitions: boolean;
}

export const uninstallCommand: CommandSpec<UninstallFlags> = {
  path: ['uninstall'],
  summary: 'Remove the drivers, then the operator and its definitions.',
  details:
    'Volumes are never deleted. While volumes or attachments of the driver exist, nothing is removed unless --orphan-volumes is given.',
  options: [
    {
      flags: '--orphan-volumes',
      description: 'remove the drivers although volumes exist; the volumes stay as they are, without a driver',
      default: false,
      group: 'Change:',
    },
    {
      flags: '--keep-definitions',
      description: 'keep the custom resource definitions',
      default: false,
      group: 'Change:',
    },
    yesOption,
    dryRunOption,
    ...waitOptions,
    noColorOption,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl uninstall', purpose: 'asks, removes and waits until nothing is left' }],
};
