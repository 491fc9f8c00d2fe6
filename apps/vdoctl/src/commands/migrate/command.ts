import type { CommandSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  type OutputFlags,
  outputOptions,
  yesOption,
} from '../../cli/options.ts';

export interface MigrateInTreeFlags extends OutputFlags, ClusterFlags, ConfirmFlags {
  readonly config: string;
  readonly distribution: 'Native' | 'Upstream';
  readonly credentialsSecret: string;
  readonly caFile?: string;
  /** False with --no-checks. */
  readonly checks: boolean;
}

const distributionOption = {
  flags: '--distribution <name>',
  description: 'whose drivers to install',
  choices: ['Native', 'Upstream'],
  required: true,
};
const secretOption = {
  flags: '--credentials-secret <name>',
  description: "Secret for the accounts, in the operator's namespace",
  default: 'vcenter',
};

export const migrateInTreeCommand: CommandSpec<MigrateInTreeFlags> = {
  path: ['migrate', 'in-tree'],
  summary: 'Plan the way from the in-tree vSphere provider to these drivers, and do what the API can do of it.',
  details:
    'Reads the vsphere.conf of the in-tree provider, looks at the cluster and the vCenters, and lists each step with how far it is: run it again after each one. It writes the Secret with the accounts and the VSphereDrivers resource, after asking, and nothing else; settings of the control plane and of kubelets are left to you, with the exact edits (-o wide lists all of them). Nothing is deleted, and volumes stay where they are.\n\nEnds with 3 if a check fails or something would break; then nothing is written.',
  options: [
    { flags: '--config <file>', description: 'vsphere.conf of the in-tree provider', required: true },
    distributionOption,
    secretOption,
    {
      flags: '--ca-file <file>',
      description: 'authorities of the vCenters, instead of the file that the configuration names',
    },
    { flags: '--no-checks', description: 'do not log in to the vCenters and check nothing there' },
    yesOption,
    dryRunOption,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [
    {
      command: 'vdoctl migrate in-tree --config /etc/kubernetes/vsphere.conf --distribution Upstream --dry-run',
      purpose: 'the plan',
    },
  ],
};

export interface MigrateVdoFlags extends OutputFlags, ClusterFlags, ConfirmFlags {
  readonly distribution: 'Native' | 'Upstream';
  readonly credentialsSecret: string;
}

export const migrateVdoCommand: CommandSpec<MigrateVdoFlags> = {
  path: ['migrate', 'vdo'],
  summary:
    'Plan the way from upstream VDO (VDOConfig, VsphereCloudConfig) to this operator, and do what the API can do of it.',
  details:
    'Reads the v1alpha1 kinds and the Secrets they name, and lists each step with how far it is: run it again after each one. It writes the Secret with the accounts and the VSphereDrivers resource, after asking, and nothing else. The drivers run on, the operator takes them over, and the id under which volumes are registered is kept.',
  options: [distributionOption, secretOption, yesOption, dryRunOption, ...outputOptions, ...clusterOptions],
  examples: [
    { command: 'vdoctl migrate vdo --distribution Upstream --dry-run', purpose: 'the plan' },
    {
      command: 'vdoctl migrate vdo --distribution Upstream --dry-run -o yaml',
      purpose: 'with the resource that would be written',
    },
  ],
};
