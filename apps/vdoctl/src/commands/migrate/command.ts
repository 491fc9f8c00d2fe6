import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  durationOption,
  type OutputFlags,
  outputOptions,
  yesOption,
} from '../../cli/options.ts';

/** What every migration is told. */
export interface MigrateFlags extends OutputFlags, ClusterFlags, ConfirmFlags {
  readonly distribution?: 'Native' | 'Upstream';
  readonly credentialsSecret: string;
  /** Seconds. */
  readonly timeout: number;
  /** Steps that were done by hand and that the cluster does not show. */
  readonly confirm: readonly string[];
  readonly finish: boolean;
  readonly acceptDifferences: boolean;
}

export interface MigrateInTreeFlags extends MigrateFlags {
  readonly config?: string;
  readonly caFile?: string;
  /** False with --no-checks. */
  readonly checks: boolean;
}

export interface MigrateDriversFlags extends MigrateFlags {
  readonly caFile?: string;
}

export interface MigrateVdoFlags extends MigrateFlags {
  readonly vdoConfig?: string;
}

export type MigrateUndoFlags = Omit<
  MigrateFlags,
  'distribution' | 'credentialsSecret' | 'finish' | 'acceptDifferences'
>;

const confirmOption: OptionSpec = {
  flags: '--confirm <step>',
  description: 'a step that you have done and that the cluster does not show, by its name; may be repeated',
  parse: (text, previous) => [...(Array.isArray(previous) ? previous : []), text],
  default: [],
  group: 'Change:',
};
const timeoutOption: OptionSpec = {
  flags: '--timeout <time>',
  description: 'how long to wait for one step, such as 90s or 15m',
  ...durationOption(900),
  group: 'Change:',
};
const wayOptions: readonly OptionSpec[] = [
  {
    flags: '--distribution <name>',
    description: 'whose drivers to install; needed to begin',
    choices: ['Native', 'Upstream'],
  },
  {
    flags: '--credentials-secret <name>',
    description: "Secret for the accounts, in the operator's namespace",
    default: 'vcenter',
  },
];
const changeOptions: readonly OptionSpec[] = [
  confirmOption,
  {
    flags: '--finish',
    description: 'when all steps are done: cross the point of no return, and remove what was kept for the way back',
    default: false,
    group: 'Change:',
  },
  {
    flags: '--accept-differences',
    description: 'finish although volumes, classes or nodes are not as they were before',
    default: false,
    group: 'Change:',
  },
  timeoutOption,
  yesOption,
  dryRunOption,
  ...outputOptions,
  ...clusterOptions,
];
const caOption: OptionSpec = {
  flags: '--ca-file <file>',
  description: 'authorities of the vCenters, instead of the file that the configuration names',
};

/** What all have in common, for the details of each. */
const common =
  'Each step is looked at in the cluster before and after it is done, and what was there before is kept in ConfigMap and Secret vdo-migration of kube-system: whoever is interrupted, or goes on from another workstation, runs the same command again. Until it is finished with --finish, vdoctl migrate undo goes back to how things were.\n\nEnds with 3 if something would break; then nothing is changed.';

export const migrateInTreeCommand: CommandSpec<MigrateInTreeFlags> = {
  path: ['migrate', 'in-tree'],
  summary: 'From the vSphere provider inside Kubernetes to these drivers, step by step.',
  details: `Reads the vsphere.conf of the in-tree provider, looks at the cluster and the vCenters, and lists each step with how far it is. Settings of the control plane and of kubelets are left to you, with the exact edits (-o wide lists all of them). No volume is moved or changed. ${common}`,
  options: [
    { flags: '--config <file>', description: 'vsphere.conf of the in-tree provider; needed to begin' },
    ...wayOptions,
    caOption,
    { flags: '--no-checks', description: 'do not log in to the vCenters and check nothing there' },
    ...changeOptions,
  ],
  examples: [
    {
      command: 'vdoctl migrate in-tree --config /etc/kubernetes/vsphere.conf --distribution Upstream --dry-run',
      purpose: 'the plan',
    },
    { command: 'vdoctl migrate in-tree --confirm kubelet-node-1', purpose: 'go on after the kubelet of node-1' },
  ],
};

export const migrateVdoCommand: CommandSpec<MigrateVdoFlags> = {
  path: ['migrate', 'vdo'],
  summary: 'From upstream VDO (VDOConfig, VsphereCloudConfig) to this operator, step by step.',
  details: `Reads the v1alpha1 kinds and the Secrets they name. The drivers run on, the operator takes them over in place, and the id under which volumes are registered is kept. ${common}`,
  options: [
    ...wayOptions,
    { flags: '--vdo-config <name>', description: 'which VDOConfig, where there are several: NAME or NAMESPACE/NAME' },
    ...changeOptions,
  ],
  examples: [
    { command: 'vdoctl migrate vdo --distribution Upstream --dry-run', purpose: 'the plan' },
    {
      command: 'vdoctl migrate vdo --distribution Upstream --dry-run -o yaml',
      purpose: 'with the resource that would be written',
    },
    { command: 'vdoctl migrate vdo --finish', purpose: 'the end: upstream VDO is removed' },
  ],
};

export const migrateDriversCommand: CommandSpec<MigrateDriversFlags> = {
  path: ['migrate', 'drivers'],
  summary: 'From drivers that were installed by hand or by Helm to this operator, step by step.',
  details: `Finds the drivers of the Kubernetes project wherever they were put, and reads the settings and accounts that they read. The operator takes them over in place; those that it would not find are stopped first. ${common}`,
  options: [...wayOptions, caOption, ...changeOptions],
  examples: [
    { command: 'vdoctl migrate drivers --distribution Upstream --dry-run', purpose: 'the plan' },
    { command: 'vdoctl migrate drivers --finish', purpose: 'the end: Helm forgets its release' },
  ],
};

export const migrateUndoCommand: CommandSpec<MigrateUndoFlags> = {
  path: ['migrate', 'undo'],
  summary: 'Go back to how things were before a migration that is not finished.',
  details:
    'The operator stops, the objects of the former drivers are put back as they were, what the operator made is removed, and what was stopped runs again. Volumes stay where they are, and are served all the while. Run it again if it is interrupted: a migration that has turned round goes back to the end.',
  options: [confirmOption, timeoutOption, yesOption, dryRunOption, ...outputOptions, ...clusterOptions],
  examples: [
    { command: 'vdoctl migrate undo --dry-run', purpose: 'what would be done' },
    { command: 'vdoctl migrate undo --yes', purpose: 'go back' },
  ],
};
