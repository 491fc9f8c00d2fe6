import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import { listOutputOptions, noColorOption, type OutputFlags, outputOptions } from '../../cli/options.ts';
import { type TargetFlags, targetOptions } from '../../shared/vsphere/target-options.ts';
import { type VCenterFlags, vcenterOptions } from '../../shared/vsphere/vcenter-options.ts';

export type VSphereReadFlags = OutputFlags & VCenterFlags;

export const policiesListCommand: CommandSpec<VSphereReadFlags> = {
  path: ['vsphere', 'policies', 'list'],
  summary: 'List the storage policies of a vCenter, for StorageClasses.',
  options: [...listOutputOptions, ...vcenterOptions],
  examples: [{ command: 'vdoctl vsphere policies list --server vc1.example.com', purpose: 'asks for the account' }],
};

export const sessionsCommand: CommandSpec<VSphereReadFlags> = {
  path: ['vsphere', 'sessions'],
  summary: 'List who is logged in to a vCenter, those of VDO first.',
  details: 'Listing the sessions of others needs the privilege Sessions.TerminateSession.',
  options: [...outputOptions, ...vcenterOptions],
  examples: [
    {
      command: 'vdoctl vsphere sessions --server vc1.example.com',
      purpose: 'one session per program and vCenter is right',
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
    description: 'how to print it: a table, JSON, or a script that creates the roles and permissions',
    choices: ['table', 'json', 'govc', 'powercli'],
    default: 'table',
    group: 'Output:',
  },
  noColorOption,
  {
    flags: '--principal <name>',
    description: 'account that gets the permissions, in scripts',
    default: 'vdo@vsphere.local',
  },
  {
    flags: '--file <file>',
    description: 'VSphereDrivers resource that says what the drivers are to do, instead of --no-csi and --file-volumes',
  },
  ...targetOptions,
];

export const privilegesCommand: CommandSpec<PrivilegesFlags> = {
  path: ['vsphere', 'privileges'],
  summary: 'Show the least privileges the account of the drivers needs, and scripts that grant them.',
  details: 'Works without a vCenter and without a cluster.',
  options: privilegeOptions,
  examples: [
    { command: 'vdoctl vsphere privileges', purpose: 'the table' },
    { command: 'vdoctl vsphere privileges --file drivers.yaml', purpose: 'for that resource' },
    {
      command:
        'vdoctl vsphere privileges -o govc --vm-folder /DC/vm/k8s --cluster /DC/host/C1 --datastore /DC/datastore/vsan',
      purpose: 'a script for govc',
    },
  ],
};
