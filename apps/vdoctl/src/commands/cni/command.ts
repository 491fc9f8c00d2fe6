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

export interface CniApplyFlags extends OutputFlags, ClusterFlags, ConfirmFlags, WaitFlags {
  readonly file: string;
  readonly forceConflicts: boolean;
  readonly besideOther: boolean;
}

export const cniApplyCommand: CommandSpec<CniApplyFlags> = {
  path: ['cni', 'apply'],
  summary: 'Install or upgrade the pod network from its manifest, with your own permissions.',
  details:
    'The operator then needs no permissions for the pod network. Applies namespaces, CRDs, ServiceAccounts and roles, configuration, and workloads, in this order. Then waits until the DaemonSets are ready and the nodes have a network. Changes nothing if spec.cni.manifest is set (the operator manages the network), or if another pod network runs (unless --beside-other is set).',
  options: [
    { flags: '--file <file>', description: 'manifest in YAML or JSON; - reads standard input', required: true },
    {
      flags: '--force-conflicts',
      description: 'take over fields that another field manager set',
      default: false,
      group: 'Change:',
    },
    {
      flags: '--beside-other',
      description: 'continue although another pod network runs; this does not remove the other one',
      default: false,
      group: 'Change:',
    },
    yesOption,
    dryRunOption,
    ...waitOptions,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl cni apply --file antrea.yml --dry-run', purpose: 'show what would be created or changed' },
    {
      command: 'vdoctl cni apply --file antrea.yml --yes',
      purpose: 'in a script; waits until the nodes have a network',
    },
  ],
};
