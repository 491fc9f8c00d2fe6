import type { OptionSpec } from '../../cli/command.ts';

/** Collects what is given several times. */
export const repeated = (text: string, previous: unknown): readonly string[] => [
  ...(Array.isArray(previous) ? (previous as readonly string[]) : []),
  text,
];

/** What the drivers are to do, and on which objects. */
export interface TargetFlags {
  readonly csi: boolean;
  readonly fileVolumes: boolean;
  /** Whose account it is, where drivers have accounts of their own. */
  readonly driver?: 'cpi' | 'csi';
  /** Inventory paths. */
  readonly vmFolder: readonly string[];
  readonly datastore: readonly string[];
  readonly cluster: readonly string[];
}

const list = (flags: string, description: string): OptionSpec => ({
  flags,
  description: `${description}; may be repeated`,
  parse: repeated,
  default: [],
  group: 'Objects:',
});

export const targetOptions: readonly OptionSpec[] = [
  {
    flags: '--driver <name>',
    description: 'the account is for this driver alone: cpi, which only reads, or csi',
    choices: ['cpi', 'csi'],
    group: 'Objects:',
  },
  list('--vm-folder <path>', 'folder of the node VMs, such as /DC/vm/k8s'),
  list('--cluster <path>', 'cluster or resource pool they run in, such as /DC/host/C1'),
  list('--datastore <path>', 'datastore for volumes, such as /DC/datastore/vsan'),
  { flags: '--no-csi', description: 'for a cluster without the storage driver', group: 'Objects:' },
  {
    flags: '--file-volumes',
    description: 'with file volumes on vSAN file services',
    default: false,
    group: 'Objects:',
  },
];
