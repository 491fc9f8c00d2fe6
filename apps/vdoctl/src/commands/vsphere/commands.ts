import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import { listOutputOptions, noColorOption, type OutputFlags, outputOptions } from '../../cli/options.ts';
import { type TargetFlags, targetOptions } from '../../shared/vsphere/target-options.ts';
import { type VCenterFlags, vcenterOptions } from '../../shared/vsphere/vcenter-options.ts';

export type VSphereReadFlags = OutputFlags & VCenterFlags;

export const policiesListCommand: CommandSpec<VSphereReadFlags> = {
  path: ['vsphere', 'policies', 'list'],
  summary: 'List the storage policies of a vCenter, for use in StorageClasses.',
  options: [...listOutputOptions, ...vcenterOptions],
  examples: [
    {
      command: 'vdoctl vsphere policies list --server vc1.example.com',
      purpose: 'list policies; asks for the account',
    },
  ],
};

export const sessionsCommand: CommandSpec<VSphereReadFlags> = {
  path: ['vsphere', 'sessions'],
  summary: 'List the sessions of a vCenter, those of VDO first.',
  details: 'To list the sessions of other accounts, you need the privilege Sessions.TerminateSession.',
  options: [...outputOptions, ...vcenterOptions],
  examples: [
    {
      command: 'vdoctl vsphere sessions --server vc1.example.com',
      purpose: 'expected: one session per program and vCenter',
    },
  ],
};

export interface PrivilegesFlags extends TargetFlags {
  readonly output: 'table' | 'json' | 'govc' | 'powercli';
  readonly principal: string;
  readonly file?: string;
}

const privilegeOptions: readonly OptionSpec[] = [
  {
    flags: '-o, --output <format>',
    description: 'output format: a table, JSON, or a script that creates the roles and permissions',
    choices: ['table', 'json', 'govc', 'powercli'],
    default: 'table',
    group: 'Output:',
  },
  noColorOption,
  {
    flags: '--principal <name>',
    description: 'account that the script grants the permissions to',
    default: 'vdo@vsphere.local',
  },
  {
    flags: '--file <file>',
    description: 'VSphereDrivers resource with the features to use, instead of --no-csi and --file-volumes',
  },
  ...targetOptions,
];

export const privilegesCommand: CommandSpec<PrivilegesFlags> = {
  path: ['vsphere', 'privileges'],
  summary: 'Print the least privileges that the drivers need, or a script that grants them.',
  details: 'Needs no vCenter and no cluster.',
  options: privilegeOptions,
  examples: [
    { command: 'vdoctl vsphere privileges', purpose: 'print the table' },
    { command: 'vdoctl vsphere privileges --file drivers.yaml', purpose: 'for this resource' },
    {
      command:
        'vdoctl vsphere privileges -o govc --vm-folder /DC/vm/k8s --cluster /DC/host/C1 --datastore /DC/datastore/vsan',
      purpose: 'print a govc script',
    },
  ],
};
