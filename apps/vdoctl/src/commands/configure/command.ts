import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  noColorOption,
  type OutputFlags,
  yesOption,
} from '../../cli/options.ts';
import { repeated } from '../../shared/vsphere/target-options.ts';
import { type VCenterFlags, vcenterOptions } from '../../shared/vsphere/vcenter-options.ts';

export interface ConfigureFlags extends VCenterFlags, ClusterFlags, ConfirmFlags, Pick<OutputFlags, 'color'> {
  readonly fromFile?: string;
  readonly set: readonly string[];
  readonly save?: string;
  readonly checks: boolean;
  readonly distribution?: 'Native' | 'Upstream';
  readonly datacenter: readonly string[];
  readonly region?: string;
  readonly zone?: string;
  readonly storagePolicy?: string;
  readonly datastoreUrl?: string;
  readonly network?: string;
  readonly fileVolumes: boolean;
  readonly cpi: boolean;
  readonly csi: boolean;
  readonly secret?: string;
}

const group = 'Configuration:';
const own: readonly OptionSpec[] = [
  { flags: '--from-file <file>', description: 'start from this VSphereDrivers resource', group },
  {
    flags: '--set <path=value>',
    description: 'set a field of the spec, such as csi.replicas=2; may be repeated',
    parse: repeated,
    default: [],
    group,
  },
  {
    flags: '--distribution <name>',
    description: "whose drivers: this project's own, or those of the Kubernetes project",
    choices: ['Native', 'Upstream'],
    group,
  },
  {
    flags: '--datacenter <name>',
    description: 'datacenter that holds node VMs; may be repeated (default: all)',
    parse: repeated,
    default: [],
    group,
  },
  { flags: '--region <category>', description: 'tag category that names regions', group },
  { flags: '--zone <category>', description: 'tag category that names zones', group },
  { flags: '--storage-policy <name>', description: 'policy of the default StorageClass', group },
  { flags: '--datastore-url <url>', description: 'datastore of the default StorageClass', group },
  { flags: '--network <name>', description: 'network whose address becomes the internal address of a node', group },
  { flags: '--file-volumes', description: 'with file volumes on vSAN file services', default: false, group },
  { flags: '--no-cpi', description: 'without the cloud controller manager', group },
  { flags: '--no-csi', description: 'without the storage driver', group },
  { flags: '--secret <name>', description: 'Secret for the account (default: vcenter)', group },
  { flags: '--no-checks', description: 'do not run the health checks first', group },
];

export const configureCommand: CommandSpec<ConfigureFlags> = {
  path: ['configure'],
  summary: 'Say which vCenter and which drivers: asks, checks, shows the resource, applies or saves it.',
  details:
    'On a terminal it asks for what the flags leave open, and lists what the vCenter has. Elsewhere, or with --yes, the flags say all. The password is never shown and goes into the Secret alone.',
  options: [
    ...own,
    { flags: '--save <file>', description: 'write the resource to a file instead of the cluster', group: 'Change:' },
    ...vcenterOptions,
    noColorOption,
    ...clusterOptions,
    yesOption,
    dryRunOption,
  ],
  examples: [
    { command: 'vdoctl configure', purpose: 'asks' },
    {
      command: 'vdoctl configure --yes --server vc1 --user vdo@vsphere.local --password-file pw --distribution Native',
      purpose: 'asks nothing',
    },
    {
      command: 'vdoctl configure --from-file d.yaml --set csi.replicas=2 --save d.yaml --no-checks --yes',
      purpose: 'edits a file',
    },
  ],
};
