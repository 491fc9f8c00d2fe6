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

const names = { name: '[names...]', description: 'VMs (default: all of them)', completes: 'nodes' } as const;
const selection: readonly OptionSpec[] = [
  {
    flags: '--vm-folder <path>',
    description:
      'folder of the VMs, such as /DC/vm/k8s; may be repeated (default: the VMs of the nodes of the cluster)',
    parse: repeated,
    default: [],
  },
  {
    flags: '--hardware-version <number>',
    description: 'the least version of virtual hardware',
    parse: wholeNumber(15, 99),
    default: 15,
  },
];
const connection = [...vcenterOptions, ...clusterOptions];

export const vmsListCommand: CommandSpec<VmsListFlags> = {
  path: ['vsphere', 'vms', 'list'],
  summary: 'List node VMs with what the drivers need of them: disk.EnableUUID, hardware version, VMware Tools.',
  details: 'Ends with 3 if a VM is not ready.',
  arguments: [names],
  options: [...selection, ...listOutputOptions, ...connection],
  examples: [{ command: 'vdoctl vsphere vms list --vm-folder /DC/vm/k8s', purpose: 'before there is a cluster' }],
};

export const vmsPrepareCommand: CommandSpec<VmsPrepareFlags> = {
  path: ['vsphere', 'vms', 'prepare'],
  summary: 'Set disk.EnableUUID and upgrade virtual hardware where a node VM needs it.',
  details:
    'VMs that are off are changed at once. VMs that run are left alone unless --power-cycle is given; then one node after the other is cordoned, drained (data of emptyDir volumes is lost), shut down by its guest, changed, started, waited for and uncordoned. No node is touched while another one of the control plane is not Ready.',
  arguments: [names],
  options: [
    ...selection,
    ...outputOptions,
    ...connection,
    {
      flags: '--power-cycle',
      description: 'shut running VMs down and start them again, one at a time',
      default: false,
      group: 'Change:',
    },
    {
      flags: '--no-drain',
      description: 'shut VMs down without asking a cluster, because they are no nodes yet',
      group: 'Change:',
    },
    {
      flags: '--timeout <time>',
      description: 'how long to wait for each step, such as 90s or 5m',
      ...durationOption(300),
      group: 'Change:',
    },
    yesOption,
    dryRunOption,
  ],
  examples: [
    { command: 'vdoctl vsphere vms prepare --dry-run', purpose: 'what would be changed' },
    { command: 'vdoctl vsphere vms prepare worker-1 --power-cycle', purpose: 'one VM that runs' },
  ],
};
