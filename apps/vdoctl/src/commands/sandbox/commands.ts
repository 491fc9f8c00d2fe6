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
  /** URL or host of a real vCenter. */
  readonly vcenter?: string;
  /** Inventory paths of VMs, and of folders of VMs. */
  readonly nodeVms: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly yes: boolean;
  /** Name of the sandbox. */
  readonly name?: string;
  readonly nodes: number;
  readonly once: boolean;
  /** Names of faults. */
  readonly break: readonly string[];
  /** Seconds per step. */
  readonly timeout: number;
  readonly dashboardPort: number;
  readonly snapshot?: string;
  readonly real: boolean;
  readonly simulateMounts: boolean;
  readonly color: boolean;
}

export const sandboxCommand: CommandSpec<SandboxFlags> = {
  path: ['sandbox'],
  summary: 'Run a local sandbox: a simulated vCenter, Kubernetes, the operator and both drivers.',
  details:
    'Needs only Node.js and no special permissions. Without root, mounts are simulated; with root, disks are loop devices if ' +
    'the machine supports them. Runs until Ctrl-C, which stops everything and leaves nothing behind. Other vdoctl commands ' +
    'find a running sandbox automatically. To choose a sandbox by name: vdoctl --sandbox blue status. Sandboxes with ' +
    'different names can run at the same time; each has its own folder, ports, passwords and cluster.',
  options: [
    { flags: '--name <name>', description: 'name of the sandbox, to run several at the same time' },
    {
      flags: '--nodes <n>',
      description: 'number of nodes, 1 to 500; only the first five run pods, the others are cordoned',
      parse: wholeNumber(1, 500),
      default: 5,
    },
    {
      flags: '--once',
      description: 'start, verify and stop; exit code 0 if everything worked, 3 if a check failed',
      default: false,
    },
    {
      flags: '--break <fault>',
      description: 'inject a fault after the start; vdoctl sandbox break lists the faults; repeatable',
      parse: repeated,
      default: [],
    },
    {
      flags: '--timeout <time>',
      description: 'maximum time per step, such as 90s or 5m',
      ...durationOption(120),
    },
    {
      flags: '--dashboard-port <port>',
      description: 'port of the dashboard; 0 selects a free port',
      parse: wholeNumber(0, 65_535),
      default: 0,
    },
    {
      flags: '--snapshot <folder>',
      description:
        'folder in which the cluster objects are saved; the next start with this folder continues from them. vCenter and volumes always start empty',
    },
    {
      flags: '--real',
      description: 'use real etcd, kube-apiserver and kube-controller-manager; needs a checkout of VDO (npm run parts)',
      default: false,
    },
    {
      flags: '--simulate-mounts',
      description: 'simulate disks and mounts even as root; without root they are always simulated',
      default: false,
    },
    {
      flags: '--vcenter <url>',
      description: 'use this vCenter instead of a simulated one, such as https://vc.example.com',
      group: 'vCenter:',
    },
    {
      flags: '--node-vms <path>',
      description: 'VM to use as a node, or folder of such VMs, such as /DC/vm/k8s; repeatable',
      parse: repeated,
      default: [],
      group: 'vCenter:',
    },
    ...vcenterOptions.filter(({ flags }) => !/^--(server|port) /.test(flags)),
    {
      flags: '--kubeconfig <file>',
      description:
        'use this cluster instead of a local one; everything the sandbox creates there is removed at the end',
      group: 'Cluster:',
    },
    {
      flags: '--context <name>',
      description: 'context in that kubeconfig (default: its current context)',
      group: 'Cluster:',
    },
    yesOption,
    noColorOption,
  ],
  examples: [
    { command: 'vdoctl sandbox', purpose: 'start; then, in another terminal: vdoctl status' },
    { command: 'vdoctl sandbox --name blue', purpose: 'start another one; show it: vdoctl --sandbox blue status' },
    { command: 'vdoctl sandbox --once', purpose: 'start, verify and stop, for CI' },
    { command: 'vdoctl sandbox break vcenter-down', purpose: 'see how a failure is reported' },
    {
      command: 'vdoctl sandbox --vcenter https://vc.example.com --node-vms /DC/vm/k8s',
      purpose: 'try the drivers on VMs of your vCenter',
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
  summary: 'Inject a fault into the running sandbox, to see how it is reported.',
  details: `Faults:\n${faultList()}`,
  arguments: [{ name: '[fault]', description: 'fault to inject (default: list the faults)', choices: faultNames }],
  options: [noColorOption],
  examples: [
    { command: 'vdoctl sandbox break bad-password', purpose: 'then run vdoctl status and vdoctl events' },
    { command: 'vdoctl sandbox heal', purpose: 'remove the fault' },
  ],
};

export const sandboxHealCommand: CommandSpec<FaultFlags> = {
  path: ['sandbox', 'heal'],
  summary: 'Remove one fault, or all faults, from the running sandbox.',
  arguments: [{ name: '[fault]', description: 'fault to remove (default: all)', choices: faultNames }],
  options: [noColorOption],
  examples: [{ command: 'vdoctl sandbox heal', purpose: 'remove all faults' }],
};

export const sandboxStatusCommand: CommandSpec<OutputFlags> = {
  path: ['sandbox', 'status'],
  summary: 'Show the addresses of the running sandbox and its faults.',
  options: outputOptions,
  examples: [{ command: 'vdoctl sandbox status -o json', purpose: 'print addresses and kubeconfig, for scripts' }],
};

export interface SandboxCleanFlags extends Omit<VCenterFlags, 'server' | 'port'>, ConfirmFlags {
  /** URL or host; absent: all vCenters with leftovers. */
  readonly vcenter?: string;
}

export const sandboxCleanCommand: CommandSpec<SandboxCleanFlags> = {
  path: ['sandbox', 'clean'],
  summary: 'Remove the leftovers of a killed sandbox: files, mounts, and disks in your vCenter.',
  details:
    'A sandbox that stops normally leaves nothing behind. In vCenter, only volumes with the cluster ID of the killed sandbox ' +
    'are deleted. The next sandbox with the same vCenter also removes them.',
  options: [
    { flags: '--vcenter <url>', description: 'only leftovers in this vCenter', group: 'vCenter:' },
    ...vcenterOptions.filter(({ flags }) => /^--(user|password-file|password-stdin) ?/.test(flags)),
    yesOption,
    dryRunOption,
    noColorOption,
  ],
  examples: [{ command: 'vdoctl sandbox clean --dry-run', purpose: 'show leftovers' }],
};

export interface SandboxVCenterFlags {
  readonly host: string;
  readonly port: number;
  /** A JSON file with the inventory; absent: the demo inventory. */
  readonly model?: string;
}

export const sandboxVCenterCommand: CommandSpec<SandboxVCenterFlags> = {
  path: ['sandbox', 'vcenter'],
  summary: 'Run only the simulated vCenter, for govc and other clients, until Ctrl-C.',
  options: [
    { flags: '--host <address>', description: 'address to listen on', default: '127.0.0.1' },
    {
      flags: '--port <port>',
      description: 'port to listen on; 0 selects a free port',
      parse: wholeNumber(0, 65_535),
      default: 8989,
    },
    {
      flags: '--model <file>',
      description:
        'inventory as JSON, in the format of packages/vsphere-sim/src/model.ts in the repository (default: a demo inventory)',
    },
  ],
  examples: [{ command: 'vdoctl sandbox vcenter --port 0', purpose: 'run a vCenter on a free port' }],
};
