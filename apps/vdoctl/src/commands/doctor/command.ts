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

/** The vCenters and how to trust them stand in the resource; only the account is another one. */
const accountOptions = vcenterOptions
  .filter(({ flags }) => /^--(user|password-file|password-stdin)\b/.test(flags))
  .map((option) => ({ ...option, group: 'With --power-cycle:' }));

export const doctorCommand: CommandSpec<DoctorFlags> = {
  path: ['doctor'],
  summary: 'Run all health checks from this machine, before an install too, and print what helps.',
  details:
    'Reads the VSphereDrivers resource of the cluster or of a file, and the Secrets it names. Changes nothing without --fix. Ends with 3 if a check fails.\n\n--fix does what is safe by the API alone, after asking: it cuts line breaks off credentials, sets spec.csi.clusterId back to the id of the volumes, and restarts pods of the driver that did not register. It trusts no certificate, and powers nothing off unless --power-cycle is given; what is left is listed to be done by hand.\n\n--power-cycle also sets disk.EnableUUID and upgrades virtual hardware of node VMs: one node after the other is cordoned, drained (data of emptyDir volumes is lost), shut down by its guest, changed, started, waited for and uncordoned. No node is touched while another one of the control plane is not Ready. It needs an account that may power VMs.',
  options: [
    { flags: '--file <file>', description: 'resource to check, instead of that of the cluster' },
    {
      flags: '--only <checks>',
      description:
        'groups of checks or single checks, such as vcenter,node/vm-found (vdoctl explain lists them); default: all',
      parse: repeat,
      default: [],
      completes: 'checks',
    },
    { flags: '--all', description: 'also list checks that passed or do not apply', default: false },
    { flags: '--fix', description: 'also do what can be done safely, and check again', default: false },
    {
      flags: '--power-cycle',
      description: 'with --fix: also change what needs node VMs to be off, one node at a time',
      default: false,
      group: 'With --power-cycle:',
    },
    {
      flags: '--timeout <time>',
      description: 'how long to wait for each step of a node, such as 90s or 5m',
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
    { command: 'vdoctl doctor', purpose: 'what is wrong, and what helps' },
    { command: 'vdoctl doctor --file drivers.yaml', purpose: 'before it is applied' },
    { command: 'vdoctl doctor --fix --dry-run', purpose: 'what could be fixed from here' },
    {
      command: 'vdoctl doctor --fix --power-cycle --user administrator@vsphere.local',
      purpose: 'settings of node VMs too',
    },
    {
      command: 'vdoctl doctor --only vcenter,credentials,privileges',
      purpose: 'vCenter, credentials and privileges alone',
    },
  ],
};
