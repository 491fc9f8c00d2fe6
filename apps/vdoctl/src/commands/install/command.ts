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
  summary: 'Install or upgrade the operator and its definitions. What the drivers should be is said with configure.',
  details: 'May be repeated: only what differs is changed. Needs the rights of a cluster administrator.',
  options: [
    { flags: '--image <name>', description: 'image of VDO without its tag', default: names.image },
    { flags: '--operator-version <version>', description: 'version to install (default: that of vdoctl)' },
    { flags: '--registry <host>', description: 'mirror that holds the image, for clusters without internet' },
    {
      flags: '--replicas <n>',
      description: 'operator pods; further ones wait for the Lease',
      parse: wholeNumber(1, 9),
      default: 1,
    },
    {
      flags: '--dashboard',
      description: 'let the operator serve the status page too, to callers whose token may get /dashboard/',
      default: false,
    },
    yesOption,
    dryRunOption,
    ...waitOptions,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl install', purpose: 'asks, installs and waits until the operator runs' },
    { command: 'vdoctl install --dry-run -o yaml', purpose: 'the manifests, for GitOps' },
    { command: 'vdoctl install --registry registry.example.com/mirror --yes', purpose: 'air-gapped, in a script' },
  ],
};
