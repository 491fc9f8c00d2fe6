import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  type OutputFlags,
  outputOptions,
  yesOption,
} from '../../cli/options.ts';

export interface DoctorFlags extends OutputFlags, ClusterFlags, ConfirmFlags {
  readonly file?: string;
  readonly only: readonly string[];
  readonly all: boolean;
  readonly fix: boolean;
}

const repeat = (text: string, previous: unknown): readonly string[] => [
  ...(Array.isArray(previous) ? (previous as readonly string[]) : []),
  ...text.split(',').map((part) => part.trim().toUpperCase()),
];

export const doctorCommand: CommandSpec<DoctorFlags> = {
  path: ['doctor'],
  summary: 'Run all health checks from this machine, before an install too, and print what helps.',
  details:
    'Reads the VSphereDrivers resource of the cluster or of a file, and the Secrets it names. Changes nothing without --fix. Ends with 3 if a check fails.\n\n--fix does what is safe by the API alone, after asking: it cuts line breaks off credentials, sets spec.csi.clusterId back to the id of the volumes, and restarts pods of the driver that did not register. It powers nothing off and trusts no certificate; what is left is listed to be done by hand.',
  options: [
    { flags: '--file <file>', description: 'resource to check, instead of that of the cluster' },
    {
      flags: '--only <groups>',
      description: 'groups of checks, such as VC,CR (vdoctl explain lists them); default: all',
      parse: repeat,
      default: [],
    },
    { flags: '--all', description: 'also list checks that passed or do not apply', default: false },
    { flags: '--fix', description: 'also do what can be done safely, and check again', default: false },
    yesOption,
    dryRunOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    { command: 'vdoctl doctor', purpose: 'what is wrong, and what helps' },
    { command: 'vdoctl doctor --file drivers.yaml', purpose: 'before it is applied' },
    { command: 'vdoctl doctor --fix --dry-run', purpose: 'what could be fixed from here' },
    { command: 'vdoctl doctor --only VC,CR,PR', purpose: 'vCenter, credentials and privileges alone' },
  ],
};
