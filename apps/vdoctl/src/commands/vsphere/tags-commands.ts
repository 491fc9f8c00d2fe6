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
    description: 'tag for a region, as PATH=TAG, such as /DC=eu-1; repeatable',
    parse: repeated,
    default: [],
  },
  {
    flags: '--zone <path=tag>',
    description: 'tag for a zone, as PATH=TAG, such as /DC/host/C1=eu-1a; repeatable',
    parse: repeated,
    default: [],
  },
  { flags: '--region-category <name>', description: 'tag category for regions', default: 'k8s-region' },
  { flags: '--zone-category <name>', description: 'tag category for zones', default: 'k8s-zone' },
  { flags: '--replace', description: 'replace other tags of the same category', default: false },
  ...vcenterOptions,
  ...outputOptions,
];

const details =
  'Without --region and --zone, each datacenter becomes a region and each cluster a zone, with the same name. The drivers read the zones of nodes from these tags; set the categories in spec.topology.region and spec.topology.zone of the VSphereDrivers resource.';

export const tagsPlanCommand: CommandSpec<TagsPlanFlags> = {
  path: ['vsphere', 'tags', 'plan'],
  summary: 'Show the tag categories and tags that would be created for regions and zones.',
  details,
  options,
  examples: [
    { command: 'vdoctl vsphere tags plan', purpose: 'show a proposal' },
    {
      command: 'vdoctl vsphere tags plan --region /DC=eu-1 --zone /DC/host/C1=eu-1a --zone /DC/host/C2=eu-1b',
      purpose: 'with your own names',
    },
  ],
};

export const tagsApplyCommand: CommandSpec<TagsApplyFlags> = {
  path: ['vsphere', 'tags', 'apply'],
  summary: 'Create and attach the tag categories and tags for regions and zones.',
  details: `${details} Existing correct tags are not changed.`,
  options: [...options, yesOption, dryRunOption],
  examples: [{ command: 'vdoctl vsphere tags apply', purpose: 'show the plan, ask, and apply it' }],
};
