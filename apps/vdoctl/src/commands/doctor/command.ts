import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  durationOption,
  type OutputFlags,
  outputOptions,
  yesOption,
} from '../../cli/options.ts';
import { vcenterOptions } from '../../shared/vsphere/vcenter-options.ts';

export interface DoctorFlags extends OutputFlags, ClusterFlags, ConfirmFlags {
  readonly file?: string;
  readonly only: readonly string[];
  readonly all: boolean;
  readonly fix: boolean;
  readonly powerCycle: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly user?: string;
  readonly passwordFile?: string;
  readonly passwordStdin: boolean;
}

const repeat = (text: string, previous: unknown): readonly string[] => [
  ...(Array.isArray(previous) ? (previous as readonly string[]) : []),
  ...text.split(',').map((part) => part.trim()),
];

/** The vCenters and their trust settings come from the resource; the flags set only another account. */
const accountOptions = vcenterOptions
  .filter(({ flags }) => /^--(user|password-file|password-stdin)\b/.test(flags))
  .map((option) => ({ ...option, group: 'With --power-cycle:' }));

export const doctorCommand: CommandSpec<DoctorFlags> = {
  path: ['doctor'],
  summary: 'Run all health checks from this machine and print remedies. Also works before an install.',
  details:
    'Reads the VSphereDrivers resource from the cluster or a file, and the Secrets it refers to. The first word is the health, as in vdoctl status. Changes nothing without --fix. Exits with code 3 if a check fails.\n\n--fix asks for confirmation, then makes changes that are safe and need only the Kubernetes API: it removes line breaks at the end of credentials, resets spec.csi.clusterId to the cluster ID of the volumes, and restarts driver pods that did not register. It does not trust new certificates and does not shut down VMs (see --power-cycle). All other problems are listed for you to fix manually.\n\n--power-cycle also sets disk.EnableUUID and upgrades the virtual hardware of node VMs. For one node at a time, it cordons and drains the node (data in emptyDir volumes is lost), shuts down the guest, changes the VM, starts it, waits for the node and uncordons it. It does not shut down a node while a control plane node, other than this one, is not Ready. The account in --user needs privileges to power VMs on and off.',
  options: [
    { flags: '--file <file>', description: 'VSphereDrivers resource to check (default: read from the cluster)' },
    {
      flags: '--only <checks>',
      description: 'check groups or checks, such as vcenter,node/vm-found; vdoctl explain lists them (default: all)',
      parse: repeat,
      default: [],
      completes: 'checks',
    },
    { flags: '--all', description: 'also list checks that passed or were skipped', default: false },
    { flags: '--fix', description: 'apply safe fixes, then check again', default: false },
    {
      flags: '--power-cycle',
      description: 'with --fix: also apply fixes that require node VMs to be off, one node at a time',
      default: false,
      group: 'With --power-cycle:',
    },
    {
      flags: '--timeout <time>',
      description: 'maximum time for each step of a node, such as 90s or 5m',
      ...durationOption(300),
      group: 'With --power-cycle:',
    },
    ...accountOptions,
    yesOption,
    dryRunOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl doctor', purpose: 'check everything' },
    { command: 'vdoctl doctor --file drivers.yaml', purpose: 'check a resource before you apply it' },
    { command: 'vdoctl doctor --fix --dry-run', purpose: 'show what can be fixed automatically' },
    {
      command: 'vdoctl doctor --fix --power-cycle --user administrator@vsphere.local',
      purpose: 'also fix settings of node VMs',
    },
    {
      command: 'vdoctl doctor --only vcenter,credentials,privileges',
      purpose: 'check vCenter, credentials and privileges only',
    },
  ],
};
