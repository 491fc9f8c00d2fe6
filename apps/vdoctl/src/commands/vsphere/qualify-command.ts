import type { CommandSpec } from '../../cli/command.ts';
import { type ConfirmFlags, dryRunOption, type OutputFlags, outputOptions, yesOption } from '../../cli/options.ts';
import { type VCenterFlags, vcenterOptions } from '../../shared/vsphere/vcenter-options.ts';

export interface QualifyFlags extends OutputFlags, VCenterFlags, ConfirmFlags {
  readonly write: boolean;
  readonly folder?: string;
  readonly vm?: string;
  readonly datastore?: string;
  readonly record?: string;
  readonly names: boolean;
}

export const qualifyCommand: CommandSpec<QualifyFlags> = {
  path: ['vsphere', 'qualify'],
  summary: 'Test the operations of the drivers on a vCenter, and report what works.',
  details:
    'Without --write, only reads. With --write, shows a plan and asks, then creates, attaches, expands, copies and deletes 1 GiB disks, a file share and a tag. It deletes everything it created, also after Ctrl-C, and leftovers of earlier runs. The report contains no names and no secrets. Exits with code 3 if an operation fails.',
  options: [
    {
      flags: '--write',
      description: 'also create and delete objects, in the given folder, VM and datastore',
      default: false,
      group: 'Trial:',
    },
    { flags: '--folder <path>', description: 'folder of the test VM, such as /DC/vm/test', group: 'Trial:' },
    {
      flags: '--vm <name>',
      description: 'test VM for attaching disks and a tag',
      group: 'Trial:',
    },
    { flags: '--datastore <path>', description: 'datastore for the disks, such as /DC/datastore/ds1', group: 'Trial:' },
    {
      flags: '--record <file>',
      description: 'record all requests and replies, with names replaced and without secrets',
      group: 'Trial:',
    },
    {
      flags: '--names',
      description: 'include the names of the vCenter and its objects, and full error messages, in the report',
      default: false,
      group: 'Trial:',
    },
    yesOption,
    dryRunOption,
    ...outputOptions,
    ...vcenterOptions,
  ],
  examples: [
    { command: 'vdoctl vsphere qualify --server vc1.example.com', purpose: 'read-only test' },
    {
      command: 'vdoctl vsphere qualify --write --folder /DC/vm/test --vm test-1 --datastore /DC/datastore/ds1',
      purpose: 'everything',
    },
    { command: 'vdoctl vsphere qualify --record run.json', purpose: 'with a record for a bug report' },
  ],
};
