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
    'Without --write, only reads. With --write, shows a plan, asks for confirmation, then creates, attaches, expands, copies and deletes 1 GiB disks, a file share and a tag. At the end and after Ctrl-C, it deletes everything it created. It also deletes what earlier runs left behind. The report contains no names and no secrets. Exits with code 3 if an operation fails.',
  options: [
    {
      flags: '--write',
      description: 'also create and delete objects, in the given folder, VM and datastore',
      default: false,
      group: 'Test:',
    },
    { flags: '--folder <path>', description: 'folder of the test VM, such as /DC/vm/test', group: 'Test:' },
    {
      flags: '--vm <name>',
      description: 'test VM for attaching disks and a tag',
      group: 'Test:',
    },
    { flags: '--datastore <path>', description: 'datastore for the disks, such as /DC/datastore/ds1', group: 'Test:' },
    {
      flags: '--record <file>',
      description: 'record all requests and replies, with names replaced and without secrets',
      group: 'Test:',
    },
    {
      flags: '--names',
      description: 'include the names of the vCenter and its objects, and full error messages, in the report',
      default: false,
      group: 'Test:',
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
