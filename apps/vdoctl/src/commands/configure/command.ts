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
import { type VCenterFlags, vcenterOptions, withServerFrom } from '../../shared/vsphere/vcenter-options.ts';

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
  { flags: '--from-file <file>', description: 'VSphereDrivers resource to start from', group },
  {
    flags: '--set <path=value>',
    description: 'set a field of the spec, such as csi.replicas=2; repeatable',
    parse: repeated,
    default: [],
    group,
  },
  {
    flags: '--distribution <name>',
    description: 'Native: drivers of this project; Upstream: drivers of the Kubernetes project',
    choices: ['Native', 'Upstream'],
    group,
  },
  {
    flags: '--datacenter <name>',
    description: 'datacenter of the node VMs; repeatable (default: all)',
    parse: repeated,
    default: [],
    group,
  },
  { flags: '--region <category>', description: 'tag category for regions', group },
  { flags: '--zone <category>', description: 'tag category for zones', group },
  { flags: '--storage-policy <name>', description: 'storage policy of the default StorageClass', group },
  { flags: '--datastore-url <url>', description: 'datastore of the default StorageClass', group },
  { flags: '--network <name>', description: 'VM network that provides the internal address of a node', group },
  {
    flags: '--file-volumes',
    description: 'enable file volumes (ReadWriteMany) on vSAN file services',
    default: false,
    group,
  },
  { flags: '--no-cpi', description: 'do not install the cloud controller manager (CPI)', group },
  { flags: '--no-csi', description: 'do not install the storage driver (CSI)', group },
  { flags: '--secret <name>', description: 'Secret for the vCenter account (default: vcenter)', group },
  { flags: '--no-checks', description: 'skip the health checks', group },
];

export const configureCommand: CommandSpec<ConfigureFlags> = {
  path: ['configure'],
  summary: 'Set up the drivers: choose a vCenter and options, check them, then apply or save the resource.',
  details:
    'On a terminal, asks for everything that is not set by a flag and lists the choices found on vCenter. In a script, or with --yes, uses the flags only. The password is never printed and is stored in the Secret only.',
  options: [
    ...own,
    { flags: '--save <file>', description: 'write the resource to a file instead of applying it', group: 'Change:' },
    ...withServerFrom(vcenterOptions, 'that of a running sandbox, otherwise ask'),
    noColorOption,
    ...clusterOptions,
    yesOption,
    dryRunOption,
  ],
  examples: [
    { command: 'vdoctl configure', purpose: 'interactive' },
    {
      command: 'vdoctl configure --yes --server vc1 --user vdo@vsphere.local --password-file pw --distribution Native',
      purpose: 'without questions',
    },
    {
      command: 'vdoctl configure --from-file d.yaml --set csi.replicas=2 --save d.yaml --no-checks --yes',
      purpose: 'edit a saved resource',
    },
  ],
};
