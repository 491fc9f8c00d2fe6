import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import { type ConfirmFlags, dryRunOption, type OutputFlags, outputOptions, yesOption } from '../../cli/options.ts';
import { repeated } from '../../shared/vsphere/target-options.ts';
import { type VCenterFlags, vcenterOptions } from '../../shared/vsphere/vcenter-options.ts';
import type { TagFlags } from './tags/find-tags.ts';

export type TagsPlanFlags = OutputFlags & VCenterFlags & TagFlags & { readonly replace: boolean };
export type TagsApplyFlags = TagsPlanFlags & ConfirmFlags;

const options: readonly OptionSpec[] = [
  {
    flags: '--region <path=tag>',
    description: 'tag for a region, such as /DC=eu-1; may be repeated',
    parse: repeated,
    default: [],
  },
  {
    flags: '--zone <path=tag>',
    description: 'tag for a zone, such as /DC/host/C1=eu-1a; may be repeated',
    parse: repeated,
    default: [],
  },
  { flags: '--region-category <name>', description: 'tag category of regions', default: 'k8s-region' },
  { flags: '--zone-category <name>', description: 'tag category of zones', default: 'k8s-zone' },
  { flags: '--replace', description: 'also where an object has another tag of the category', default: false },
  ...vcenterOptions,
  ...outputOptions,
];

const details =
  'Without --region and --zone each datacenter is a region and each cluster a zone, called as they are. Zones of nodes are read from these tags: topology.region and topology.zone of the resource name the categories.';

export const tagsPlanCommand: CommandSpec<TagsPlanFlags> = {
  path: ['vsphere', 'tags', 'plan'],
  summary: 'Show which tag categories and tags regions and zones would get.',
  details,
  options,
  examples: [
    { command: 'vdoctl vsphere tags plan', purpose: 'a proposal' },
    {
      command: 'vdoctl vsphere tags plan --region /DC=eu-1 --zone /DC/host/C1=eu-1a --zone /DC/host/C2=eu-1b',
      purpose: 'with names of your own',
    },
  ],
};

export const tagsApplyCommand: CommandSpec<TagsApplyFlags> = {
  path: ['vsphere', 'tags', 'apply'],
  summary: 'Make the tag categories and tags of regions and zones, and attach them.',
  details: `${details} What is right already is left as it is.`,
  options: [...options, yesOption, dryRunOption],
  examples: [{ command: 'vdoctl vsphere tags apply', purpose: 'shows the plan and asks' }],
};
