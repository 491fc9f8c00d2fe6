import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import { noColorOption, type OutputFlags, outputOptions } from '../../cli/options.ts';
import { type VCenterFlags, vcenterOptions } from '../../vsphere/vcenter-options.ts';

export type VSphereReadFlags = OutputFlags & VCenterFlags;

export const policiesListCommand: CommandSpec<VSphereReadFlags> = {
  path: ['vsphere', 'policies', 'list'],
  summary: 'List the storage policies of a vCenter, for StorageClasses.',
  options: [...outputOptions, ...vcenterOptions],
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

export interface PrivilegesFlags {
  readonly output: 'table' | 'json' | 'govc' | 'powercli';
  readonly csi: boolean;
  readonly fileVolumes: boolean;
  readonly principal: string;
  readonly vmFolder: readonly string[];
  readonly datastore: readonly string[];
}

const repeat = (text: string, previous: unknown): readonly string[] => [
  ...(Array.isArray(previous) ? (previous as readonly string[]) : []),
  text,
];

const privilegeOptions: readonly OptionSpec[] = [
  {
    flags: '-o, --output <format>',
    description: 'how to print it: a table, JSON, or a script that creates the roles and permissions',
    choices: ['table', 'json', 'govc', 'powercli'],
    default: 'table',
    group: 'Output:',
  },
  noColorOption,
  { flags: '--no-csi', description: 'for a cluster without the storage driver' },
  { flags: '--file-volumes', description: 'with file volumes on vSAN file services', default: false },
  {
    flags: '--principal <name>',
    description: 'account that gets the permissions, in scripts',
    default: 'vdo@vsphere.local',
  },
  {
    flags: '--vm-folder <path>',
    description: 'folder that holds the node VMs, in scripts; may be repeated',
    parse: repeat,
    default: [],
  },
  {
    flags: '--datastore <path>',
    description: 'datastore for volumes, in scripts; may be repeated',
    parse: repeat,
    default: [],
  },
];

export const privilegesCommand: CommandSpec<PrivilegesFlags> = {
  path: ['vsphere', 'privileges'],
  summary: 'Show the least privileges the account of the drivers needs, and scripts that grant them.',
  details: 'Works without a vCenter and without a cluster.',
  options: privilegeOptions,
  examples: [
    { command: 'vdoctl vsphere privileges', purpose: 'the table' },
    {
      command: 'vdoctl vsphere privileges -o govc --vm-folder /DC0/vm/k8s --datastore /DC0/datastore/vsan',
      purpose: 'a script for govc',
    },
  ],
};
