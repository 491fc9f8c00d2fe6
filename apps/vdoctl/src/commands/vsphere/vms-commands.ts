import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  durationOption,
  listOutputOptions,
  type OutputFlags,
  outputOptions,
  wholeNumber,
  yesOption,
} from '../../cli/options.ts';
import { repeated } from '../../shared/vsphere/target-options.ts';
import { type VCenterFlags, vcenterOptions } from '../../shared/vsphere/vcenter-options.ts';

export interface VmsListFlags extends OutputFlags, VCenterFlags, ClusterFlags {
  readonly vmFolder: readonly string[];
  readonly hardwareVersion: number;
}

export interface VmsPrepareFlags extends VmsListFlags, ConfirmFlags {
  readonly powerCycle: boolean;
  /** False with --no-drain. */
  readonly drain: boolean;
  readonly timeout: number;
}

const names = { name: '[names...]', description: 'names of VMs (default: all)', completes: 'nodes' } as const;
const selection: readonly OptionSpec[] = [
  {
    flags: '--vm-folder <path>',
    description: 'folder of the VMs, such as /DC/vm/k8s; repeatable (default: the VMs of the cluster nodes)',
    parse: repeated,
    default: [],
  },
  {
    flags: '--hardware-version <number>',
    description: 'minimum virtual hardware version',
    parse: wholeNumber(15, 99),
    default: 15,
  },
];
const connection = [...vcenterOptions, ...clusterOptions];

export const vmsListCommand: CommandSpec<VmsListFlags> = {
  path: ['vsphere', 'vms', 'list'],
  summary: 'List node VMs and the settings that the drivers require.',
  details:
    'The settings are disk.EnableUUID, the virtual hardware version and VMware Tools. Exits with code 3 if a VM is not ready.',
  arguments: [names],
  options: [...selection, ...listOutputOptions, ...connection],
  examples: [{ command: 'vdoctl vsphere vms list --vm-folder /DC/vm/k8s', purpose: 'before there is a cluster' }],
};

export const vmsPrepareCommand: CommandSpec<VmsPrepareFlags> = {
  path: ['vsphere', 'vms', 'prepare'],
  summary: 'Set disk.EnableUUID and upgrade the virtual hardware of node VMs that need it.',
  details:
    'VMs that are powered off are changed without a restart. Running VMs are changed only with --power-cycle, one node at a time: this command cordons and drains the node (data in emptyDir volumes is lost), shuts down the guest, changes the VM, starts it, waits for the node and uncordons it. It does not shut down a node while a control plane node, other than this one, is not Ready.',
  arguments: [names],
  options: [
    ...selection,
    ...outputOptions,
    ...connection,
    {
      flags: '--power-cycle',
      description: 'shut down and restart running VMs, one at a time',
      default: false,
      group: 'Change:',
    },
    {
      flags: '--no-drain',
      description: 'shut down VMs without draining; only for VMs that are not nodes of a cluster yet',
      group: 'Change:',
    },
    {
      flags: '--timeout <time>',
      description: 'maximum time for each step, such as 90s or 5m',
      ...durationOption(300),
      group: 'Change:',
    },
    yesOption,
    dryRunOption,
  ],
  examples: [
    { command: 'vdoctl vsphere vms prepare --dry-run', purpose: 'show what would be changed' },
    { command: 'vdoctl vsphere vms prepare worker-1 --power-cycle', purpose: 'change a running VM' },
  ],
};
