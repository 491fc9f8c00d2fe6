import type { CommandSpec, OptionSpec } from '../../cli/command.ts';
import {
  type ClusterFlags,
  type ConfirmFlags,
  clusterOptions,
  dryRunOption,
  type OutputFlags,
  outputOptions,
  yesOption,
} from '../../cli/options.ts';
import { type TargetFlags, targetOptions } from '../../shared/vsphere/target-options.ts';
import { type VCenterFlags, vcenterOptions } from '../../shared/vsphere/vcenter-options.ts';

/** An administrator's login, and the cluster whose account it is about. */
export interface AdminFlags extends OutputFlags, VCenterFlags, ClusterFlags, ConfirmFlags {
  readonly ssoDomain: string;
  readonly file?: string;
}

/** Where a new password goes. */
export interface PasswordFlags {
  readonly secret?: string;
  readonly passwordOut?: string;
  readonly showPassword: boolean;
  readonly newPasswordFile?: string;
}

/** Files of a solution user, which logs in with a certificate instead of a password. */
export interface CertificateFlags {
  readonly certificate?: string;
  readonly key?: string;
}

export type UserApplyFlags = AdminFlags & TargetFlags & { readonly prune: boolean };
export type UserCreateFlags = AdminFlags & TargetFlags & PasswordFlags & CertificateFlags;
export type UserRotateFlags = AdminFlags & PasswordFlags;
export type UserVerifyFlags = OutputFlags &
  VCenterFlags &
  ClusterFlags & { readonly file?: string; readonly all: boolean };

const nameArgument = {
  name: '<account>',
  description: 'account of the drivers, such as vdo@vsphere.local',
};
const fileOption: OptionSpec = {
  flags: '--file <file>',
  description: 'VSphereDrivers resource to go by, instead of that of the cluster',
  group: 'Objects:',
};
const ssoOption: OptionSpec = {
  flags: '--sso-domain <name>',
  description: 'single sign-on domain that the vCenter keeps itself',
  default: 'vsphere.local',
  group: 'vCenter:',
};

const passwordOptions: readonly OptionSpec[] = [
  {
    flags: '--secret <name>',
    description: 'put the password into this Secret (default: the one that the resource names)',
    group: 'Password:',
  },
  {
    flags: '--password-out <file>',
    description: 'write it to a file that only you can read, instead',
    group: 'Password:',
  },
  { flags: '--show-password', description: 'print it, instead', default: false, group: 'Password:' },
  {
    flags: '--new-password-file <file>',
    description: 'take the password from this file instead of making one up',
    group: 'Password:',
  },
];

const certificateOptions: readonly OptionSpec[] = [
  {
    flags: '--certificate <file>',
    description:
      'make a solution user, which logs in with this certificate (PEM, RSA) instead of a password; needs --key',
    group: 'Password:',
  },
  { flags: '--key <file>', description: 'private key of the certificate (PEM, unencrypted)', group: 'Password:' },
];

const adminOptions = [ssoOption, ...vcenterOptions, ...outputOptions, ...clusterOptions, yesOption, dryRunOption];

const objectsText =
  'The objects are those of the cluster: the VMs of its nodes and the datastores they share. Before there is a cluster, name them with --vm-folder, --cluster and --datastore.';

export const userCreateCommand: CommandSpec<UserCreateFlags> = {
  path: ['vsphere', 'user', 'create'],
  summary: 'Make the account of the drivers, with no more than they need.',
  details: `Makes a single sign-on user, roles and permissions, after showing the plan. ${objectsText} The administrator's account is used for this and kept nowhere.`,
  arguments: [nameArgument],
  options: [fileOption, ...targetOptions, ...passwordOptions, ...certificateOptions, ...adminOptions],
  examples: [
    {
      command: 'vdoctl vsphere user create vdo@vsphere.local --user administrator@vsphere.local',
      purpose: 'for this cluster',
    },
    {
      command: 'vdoctl vsphere user create vdo@vsphere.local --certificate vdo.crt --key vdo.key',
      purpose: 'a solution user',
    },
    {
      command: 'vdoctl vsphere user create vdo --vm-folder /DC/vm/k8s --datastore /DC/datastore/d1 --password-out pw',
      purpose: 'before there is one',
    },
  ],
};

export const userApplyCommand: CommandSpec<UserApplyFlags> = {
  path: ['vsphere', 'user', 'apply'],
  summary: 'Bring roles and permissions of the account up to date, after a change of configuration or hosts.',
  details: `What the configuration no longer needs is taken away. ${objectsText} Works for accounts of Active Directory too.`,
  arguments: [nameArgument],
  options: [
    fileOption,
    ...targetOptions,
    {
      flags: '--no-prune',
      description: 'leave permissions that are not needed, as when several clusters share the account',
      group: 'Change:',
    },
    ...adminOptions,
  ],
  examples: [{ command: 'vdoctl vsphere user apply vdo@vsphere.local --dry-run', purpose: 'what has changed' }],
};

export const userVerifyCommand: CommandSpec<UserVerifyFlags> = {
  path: ['vsphere', 'user', 'verify'],
  summary: 'Log in as the account of the drivers and check that it may do what they need.',
  details:
    'Takes the account of the Secret that the resource names, or that of --user. Runs the checks privileges/* and node/vm-found, and ends with 3 if one fails.',
  options: [
    fileOption,
    { flags: '--all', description: 'also list checks that passed or do not apply', default: false },
    ...vcenterOptions,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl vsphere user verify', purpose: 'with the account of the Secret' }],
};

export const userRotateCommand: CommandSpec<UserRotateFlags> = {
  path: ['vsphere', 'user', 'rotate'],
  summary: 'Give the account a new password, in vCenter and in the Secret.',
  details:
    'The drivers go on with their sessions and log in with the new password when the Secret changes. If the Secret cannot be written, the old password is put back.',
  arguments: [nameArgument],
  options: [fileOption, ...passwordOptions, ...adminOptions],
  examples: [
    {
      command: 'vdoctl vsphere user rotate vdo@vsphere.local --yes',
      purpose: 'vCenter lets passwords expire after 90 days unless told otherwise',
    },
  ],
};

export const userDeleteCommand: CommandSpec<AdminFlags> = {
  path: ['vsphere', 'user', 'delete'],
  summary: 'Remove the account, its permissions, and the roles that nobody else uses.',
  arguments: [nameArgument],
  options: adminOptions,
  examples: [{ command: 'vdoctl vsphere user delete vdo@vsphere.local', purpose: 'asks before it does' }],
};
