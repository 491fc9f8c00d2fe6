import type { OptionSpec } from '../../cli/command.ts';

/** Parser for flags that can be repeated. */
export const repeated = (text: string, previous: unknown): readonly string[] => [
  ...(Array.isArray(previous) ? (previous as readonly string[]) : []),
  text,
];

/** The features of the drivers, and the objects they use. */
export interface TargetFlags {
  readonly csi: boolean;
  readonly fileVolumes: boolean;
  readonly volumeMoves: boolean;
  /** The driver that uses the account, if drivers have separate accounts. */
  readonly driver?: 'cpi' | 'csi';
  /** Inventory paths. */
  readonly vmFolder: readonly string[];
  readonly datastore: readonly string[];
  readonly cluster: readonly string[];
}

const list = (flags: string, description: string): OptionSpec => ({
  flags,
  description: `${description}; repeatable`,
  parse: repeated,
  default: [],
  group: 'Objects:',
});

export const targetOptions: readonly OptionSpec[] = [
  {
    flags: '--driver <name>',
    description: 'the account is only for this driver: cpi (read-only) or csi',
    choices: ['cpi', 'csi'],
    group: 'Objects:',
  },
  list('--vm-folder <path>', 'folder of the node VMs, such as /DC/vm/k8s'),
  list('--cluster <path>', 'cluster or resource pool of the node VMs, such as /DC/host/C1'),
  list('--datastore <path>', 'datastore for volumes, such as /DC/datastore/vsan'),
  { flags: '--no-csi', description: 'the storage driver is not used', group: 'Objects:' },
  {
    flags: '--file-volumes',
    description: 'file volumes on vSAN file services are used',
    default: false,
    group: 'Objects:',
  },
  {
    flags: '--volume-moves',
    description: 'volumes are moved to other datastores',
    default: false,
    group: 'Objects:',
  },
];
