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
  readonly replace: boolean;
}

export const cniApplyCommand: CommandSpec<CniApplyFlags> = {
  path: ['cni', 'apply'],
  summary: 'Install or upgrade a pod network from its manifest, with your own rights.',
  details:
    'The operator needs no right for that then. Objects are applied in an order that works (namespaces, definitions, accounts, configuration, workloads), then its DaemonSets and the network of the nodes are waited for. Refused while spec.cni.manifest lets the operator keep the network, and beside another pod network.',
  options: [
    { flags: '--file <file>', description: 'manifest, YAML or JSON; - reads standard input', required: true },
    {
      flags: '--force-conflicts',
      description: 'take over fields that somebody else has set',
      default: false,
      group: 'Change:',
    },
    {
      flags: '--replace',
      description: 'go on though another pod network runs; removing that is left to you',
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
    { command: 'vdoctl cni apply --file antrea.yml --dry-run', purpose: 'what would be created or changed' },
    { command: 'vdoctl cni apply --file antrea.yml --yes', purpose: 'in a script; waits until nodes have a network' },
  ],
};
