import { names } from '@vdo/config/names';
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
  wholeNumber,
  yesOption,
} from '../../cli/options.ts';

export interface InstallFlags extends ClusterFlags, ConfirmFlags, WaitFlags, OutputFlags {
  readonly image: string;
  readonly operatorVersion?: string;
  readonly registry?: string;
  readonly replicas: number;
  readonly dashboard: boolean;
}

export const installCommand: CommandSpec<InstallFlags> = {
  path: ['install'],
  summary: 'Install or upgrade the operator and its CRDs. Then run vdoctl configure to set up the drivers.',
  details: 'Safe to repeat: changes only what differs. Needs cluster-admin permissions.',
  options: [
    { flags: '--image <name>', description: 'name of the VDO image, without tag', default: names.image },
    { flags: '--operator-version <version>', description: 'version to install (default: the version of vdoctl)' },
    {
      flags: '--registry <host>',
      description:
        'registry that has the image: required until an image of VDO is published, and for clusters without internet access',
    },
    {
      flags: '--replicas <n>',
      description: 'number of operator pods; one is active, the others are on standby',
      parse: wholeNumber(1, 9),
      default: 1,
    },
    {
      flags: '--dashboard',
      description:
        'also serve the dashboard from the operator; a user needs a token with permission to get /dashboard/',
      default: false,
    },
    yesOption,
    dryRunOption,
    ...waitOptions,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl install --registry registry.example.com/mirror',
      purpose: 'ask, install, and wait until the operator runs',
    },
    { command: 'vdoctl install --dry-run -o yaml', purpose: 'print the manifests, for GitOps' },
    {
      command: 'vdoctl install --registry registry.example.com/mirror --yes',
      purpose: 'in a script',
    },
  ],
};
