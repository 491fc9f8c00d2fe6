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

/** Flags of all migrations. */
export interface MigrateFlags extends OutputFlags, ClusterFlags, ConfirmFlags {
  readonly distribution?: 'Native' | 'Upstream';
  readonly credentialsSecret: string;
  /** Seconds. */
  readonly timeout: number;
  /** Steps that the user did manually and that are not visible in the cluster. */
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
  description: 'name of a manual step that you have done but that is not visible in the cluster; repeatable',
  parse: (text, previous) => [...(Array.isArray(previous) ? previous : []), text],
  default: [],
  group: 'Change:',
};
const timeoutOption: OptionSpec = {
  flags: '--timeout <time>',
  description: 'maximum time for each step, such as 90s or 15m',
  ...durationOption(900),
  group: 'Change:',
};
const wayOptions: readonly OptionSpec[] = [
  {
    flags: '--distribution <name>',
    description: 'drivers to install; required for the first run',
    choices: ['Native', 'Upstream'],
  },
  {
    flags: '--credentials-secret <name>',
    description: "Secret for the vCenter accounts, in the operator's namespace",
    default: 'vcenter',
  },
];
const changeOptions: readonly OptionSpec[] = [
  confirmOption,
  {
    flags: '--finish',
    description: 'finish the migration when all steps are done, and delete the backup; undo is then no longer possible',
    default: false,
    group: 'Change:',
  },
  {
    flags: '--accept-differences',
    description: 'finish although volumes, StorageClasses or nodes differ from before',
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
  description: 'CA certificates (PEM) of the vCenters, instead of the file in the configuration',
};

/** The common part of the help texts. */
const common =
  'Each step is checked in the cluster before and after it runs. A backup of the previous state is kept in the ConfigMap and Secret vdo-migration in kube-system. To continue after an interruption or from another machine, run the same command again. Until you run it with --finish, vdoctl migrate undo restores the previous state.\n\nExits with code 3, without changes, if the migration would break something.';

export const migrateInTreeCommand: CommandSpec<MigrateInTreeFlags> = {
  path: ['migrate', 'in-tree'],
  summary: 'Migrate from the in-tree vSphere provider of Kubernetes, step by step.',
  details: `Reads the vsphere.conf of the in-tree provider, checks the cluster and the vCenters, and lists the steps with their state. You change the settings of the control plane and the kubelets yourself; the exact edits are printed (-o wide lists all of them). Volumes are not moved or changed. ${common}`,
  options: [
    { flags: '--config <file>', description: 'vsphere.conf of the in-tree provider; required for the first run' },
    ...wayOptions,
    caOption,
    { flags: '--no-checks', description: 'do not connect to the vCenters and skip their checks' },
    ...changeOptions,
  ],
  examples: [
    {
      command: 'vdoctl migrate in-tree --config /etc/kubernetes/vsphere.conf --distribution Upstream --dry-run',
      purpose: 'show the plan',
    },
    {
      command: 'vdoctl migrate in-tree --confirm kubelet-node-1',
      purpose: 'confirm a manual step and continue',
    },
  ],
};

export const migrateVdoCommand: CommandSpec<MigrateVdoFlags> = {
  path: ['migrate', 'vdo'],
  summary: 'Migrate from upstream VDO (VDOConfig, VsphereCloudConfig), step by step.',
  details: `Reads the v1alpha1 objects and their Secrets. The drivers keep running while the operator takes them over in place. The cluster ID of the volumes does not change. ${common}`,
  options: [
    ...wayOptions,
    { flags: '--vdo-config <name>', description: 'VDOConfig to use, if there are several: NAME or NAMESPACE/NAME' },
    ...changeOptions,
  ],
  examples: [
    { command: 'vdoctl migrate vdo --distribution Upstream --dry-run', purpose: 'show the plan' },
    {
      command: 'vdoctl migrate vdo --distribution Upstream --dry-run -o yaml',
      purpose: 'show the plan and the resource that would be created',
    },
    { command: 'vdoctl migrate vdo --finish', purpose: 'finish: remove upstream VDO' },
  ],
};

export const migrateDriversCommand: CommandSpec<MigrateDriversFlags> = {
  path: ['migrate', 'drivers'],
  summary: 'Migrate from upstream drivers installed with manifests or Helm, step by step.',
  details: `Finds the drivers of the Kubernetes project in any namespace, and reads their settings and accounts. The operator takes them over in place. Drivers whose Deployments and DaemonSets have other names than those of the operator are stopped first. ${common}`,
  options: [...wayOptions, caOption, ...changeOptions],
  examples: [
    { command: 'vdoctl migrate drivers --distribution Upstream --dry-run', purpose: 'show the plan' },
    { command: 'vdoctl migrate drivers --finish', purpose: 'finish: delete the Helm release records' },
  ],
};

export const migrateUndoCommand: CommandSpec<MigrateUndoFlags> = {
  path: ['migrate', 'undo'],
  summary: 'Undo a migration that is not finished.',
  details:
    'Stops the operator, restores the objects of the previous drivers, removes what the operator created, and restarts what was stopped. Volumes stay in place and in service. If undo is interrupted, run it again. Undo must complete before you can start a new migration.',
  options: [confirmOption, timeoutOption, yesOption, dryRunOption, ...outputOptions, ...clusterOptions],
  examples: [
    { command: 'vdoctl migrate undo --dry-run', purpose: 'show what would be done' },
    { command: 'vdoctl migrate undo --yes', purpose: 'restore the previous state' },
  ],
};
