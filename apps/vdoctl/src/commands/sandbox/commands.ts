import { faultCatalogue, faultNames } from '@vdo/sandbox/faults/fault-catalogue';
import type { CommandSpec } from '../../cli/command.ts';
import {
  type ConfirmFlags,
  dryRunOption,
  durationOption,
  noColorOption,
  type OutputFlags,
  outputOptions,
  wholeNumber,
  yesOption,
} from '../../cli/options.ts';
import { repeated } from '../../shared/vsphere/target-options.ts';
import { type VCenterFlags, vcenterOptions } from '../../shared/vsphere/vcenter-options.ts';

export interface SandboxFlags extends Omit<VCenterFlags, 'server' | 'port'> {
  /** URL or host of a vCenter that is not simulated. */
  readonly vcenter?: string;
  /** Inventory paths of VMs, and of folders of VMs. */
  readonly nodeVms: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly yes: boolean;
  /** Which of the user's sandboxes it is. */
  readonly name?: string;
  readonly nodes: number;
  readonly once: boolean;
  /** Names of faults. */
  readonly break: readonly string[];
  /** Seconds, for one step. */
  readonly timeout: number;
  readonly dashboardPort: number;
  readonly snapshot?: string;
  readonly real: boolean;
  readonly simulateMounts: boolean;
  readonly color: boolean;
}

export const sandboxCommand: CommandSpec<SandboxFlags> = {
  path: ['sandbox'],
  summary: 'Try everything on this machine: a simulated vCenter, Kubernetes, the operator and both drivers.',
  details:
    'Needs nothing but Node, and no rights: without root mounts are simulated, as root disks are loop devices where the ' +
    'machine has them. Stays up until Ctrl-C, which stops everything and leaves nothing behind. Other commands of vdoctl ' +
    'find the running sandbox by themselves; one that has a name is named: vdoctl --sandbox blue status. Sandboxes with ' +
    'different names run side by side, each with a folder, ports, passwords and a cluster of its own.',
  options: [
    { flags: '--name <name>', description: 'a name, to have several at the same time' },
    {
      flags: '--nodes <n>',
      description: 'nodes of the cluster, 1 to 500; those beyond five are cordoned and run nothing',
      parse: wholeNumber(1, 500),
      default: 5,
    },
    {
      flags: '--once',
      description: 'bring it up, verify it, take it down; exit code 0 if all of it worked, 3 if a check fails',
      default: false,
    },
    {
      flags: '--break <fault>',
      description: 'break something once everything runs (vdoctl sandbox break lists the faults); may be repeated',
      parse: repeated,
      default: [],
    },
    {
      flags: '--timeout <time>',
      description: 'how long one step may take, such as 90s or 5m',
      ...durationOption(120),
    },
    {
      flags: '--dashboard-port <port>',
      description: 'port of the dashboard; 0 takes any free one',
      parse: wholeNumber(0, 65_535),
      default: 0,
    },
    {
      flags: '--snapshot <folder>',
      description:
        'keep what is applied to the cluster there, and continue from it; the vCenter and all volumes start anew',
    },
    {
      flags: '--real',
      description:
        'a real etcd, kube-apiserver and kube-controller-manager instead of the embedded API server (npm run parts)',
      default: false,
    },
    {
      flags: '--simulate-mounts',
      description: 'no real disks, even for root; without root mounts are always simulated',
      default: false,
    },
    {
      flags: '--vcenter <url>',
      description: 'work with this vCenter instead of a simulated one, such as https://vc.example.com',
      group: 'vCenter:',
    },
    {
      flags: '--node-vms <path>',
      description: 'VM of it that is to be a node, or folder of such VMs, such as /DC/vm/k8s; may be repeated',
      parse: repeated,
      default: [],
      group: 'vCenter:',
    },
    ...vcenterOptions.filter(({ flags }) => !/^--(server|port) /.test(flags)),
    {
      flags: '--kubeconfig <file>',
      description: 'work in this cluster instead of one of its own; what it puts there is removed at the end',
      group: 'Cluster:',
    },
    {
      flags: '--context <name>',
      description: 'context of that kubeconfig (default: its current one)',
      group: 'Cluster:',
    },
    yesOption,
    noColorOption,
  ],
  examples: [
    { command: 'vdoctl sandbox', purpose: 'then, in another terminal: vdoctl status' },
    { command: 'vdoctl sandbox --name blue', purpose: 'one more: vdoctl --sandbox blue status' },
    { command: 'vdoctl sandbox --once', purpose: 'the same as a check, for CI' },
    { command: 'vdoctl sandbox break vcenter-down', purpose: 'see what happens when something breaks' },
    {
      command: 'vdoctl sandbox --vcenter https://vc.example.com --node-vms /DC/vm/k8s',
      purpose: 'try the drivers on VMs of a vCenter of yours',
    },
  ],
};

const faultList = (): string => {
  const width = Math.max(...faultNames.map((name) => name.length));
  return faultCatalogue.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n');
};

export interface FaultFlags {
  readonly color: boolean;
}

export const sandboxBreakCommand: CommandSpec<FaultFlags> = {
  path: ['sandbox', 'break'],
  summary: 'Break something in the running sandbox, to see how it shows.',
  details: `Faults:\n${faultList()}`,
  arguments: [{ name: '[fault]', description: 'what to break (default: list what can break)', choices: faultNames }],
  options: [noColorOption],
  examples: [
    { command: 'vdoctl sandbox break bad-password', purpose: 'then look: vdoctl status, vdoctl events' },
    { command: 'vdoctl sandbox heal', purpose: 'undo it' },
  ],
};

export const sandboxHealCommand: CommandSpec<FaultFlags> = {
  path: ['sandbox', 'heal'],
  summary: 'Undo one fault of the running sandbox, or all.',
  arguments: [{ name: '[fault]', description: 'what to heal (default: everything)', choices: faultNames }],
  options: [noColorOption],
  examples: [{ command: 'vdoctl sandbox heal', purpose: 'make everything well again' }],
};

export const sandboxStatusCommand: CommandSpec<OutputFlags> = {
  path: ['sandbox', 'status'],
  summary: 'Tell where the running sandbox is, and what is broken in it.',
  options: outputOptions,
  examples: [{ command: 'vdoctl sandbox status -o json', purpose: 'addresses and the kubeconfig, for scripts' }],
};

export interface SandboxCleanFlags extends Omit<VCenterFlags, 'server' | 'port'>, ConfirmFlags {
  /** URL or host; absent: all that have something left. */
  readonly vcenter?: string;
}

export const sandboxCleanCommand: CommandSpec<SandboxCleanFlags> = {
  path: ['sandbox', 'clean'],
  summary: 'Remove what a sandbox that was killed has left: files, mounts, and disks in a vCenter of yours.',
  details:
    'A sandbox that ends in order leaves nothing. In a vCenter only volumes with the cluster id of the killed sandbox are ' +
    'touched. The next sandbox with the same vCenter does the same by itself.',
  options: [
    { flags: '--vcenter <url>', description: 'only what is left in this vCenter', group: 'vCenter:' },
    ...vcenterOptions.filter(({ flags }) => /^--(user|password-file|password-stdin) ?/.test(flags)),
    yesOption,
    dryRunOption,
    noColorOption,
  ],
  examples: [{ command: 'vdoctl sandbox clean --dry-run', purpose: 'what is left, and where' }],
};

export interface SandboxVCenterFlags {
  readonly host: string;
  readonly port: number;
  /** A file that holds the inventory as JSON; absent: the demo. */
  readonly model?: string;
}

export const sandboxVCenterCommand: CommandSpec<SandboxVCenterFlags> = {
  path: ['sandbox', 'vcenter'],
  summary: 'Run the simulated vCenter alone, for govc and other programs, until Ctrl-C.',
  options: [
    { flags: '--host <address>', description: 'address to listen on', default: '127.0.0.1' },
    {
      flags: '--port <port>',
      description: 'port to listen on; 0 takes any free one',
      parse: wholeNumber(0, 65_535),
      default: 8989,
    },
    {
      flags: '--model <file>',
      description: 'inventory as JSON, as packages/vsphere-sim/src/model.ts describes it (default: a demo)',
    },
  ],
  examples: [{ command: 'vdoctl sandbox vcenter --port 0', purpose: 'a vCenter at a free port' }],
};
