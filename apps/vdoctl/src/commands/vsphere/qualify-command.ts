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
  summary: 'Try out on a vCenter what the drivers do, and report what works.',
  details:
    'Reads only, unless --write is given: then it makes, attaches, grows, copies and deletes disks of 1 GiB, a share and a tag, shows that plan first, and deletes what it made, also after Ctrl-C and what an earlier run left. The report holds no names and no secrets. Ends with 3 if something does not work.',
  options: [
    {
      flags: '--write',
      description: 'also make and delete things, where the next three say',
      default: false,
      group: 'Trial:',
    },
    { flags: '--folder <path>', description: 'folder that the test VM is in, such as /DC/vm/test', group: 'Trial:' },
    {
      flags: '--vm <name>',
      description: 'test VM that disks are attached to and that a tag is put on',
      group: 'Trial:',
    },
    { flags: '--datastore <path>', description: 'datastore for the disks, such as /DC/datastore/ds1', group: 'Trial:' },
    {
      flags: '--record <file>',
      description: 'keep all requests and replies, with stand-ins for names and without secrets',
      group: 'Trial:',
    },
    {
      flags: '--names',
      description: 'put the names of the vCenter and its objects, and whole error messages, into the report',
      default: false,
      group: 'Trial:',
    },
    yesOption,
    dryRunOption,
    ...outputOptions,
    ...vcenterOptions,
  ],
  examples: [
    { command: 'vdoctl vsphere qualify --server vc1.example.com', purpose: 'reads, and changes nothing' },
    {
      command: 'vdoctl vsphere qualify --write --folder /DC/vm/test --vm test-1 --datastore /DC/datastore/ds1',
      purpose: 'everything',
    },
    { command: 'vdoctl vsphere qualify --record run.json', purpose: 'with a record to send in' },
  ],
};
