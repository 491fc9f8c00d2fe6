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
import { type VCenterFlags, vcenterOptions, withServerFrom } from '../../shared/vsphere/vcenter-options.ts';

/** An administrator's login, and the cluster that uses the account. */
export interface AdminFlags extends OutputFlags, VCenterFlags, ClusterFlags, ConfirmFlags {
  readonly ssoDomain: string;
  readonly file?: string;
}

/** Where a new password is stored. */
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
  description: 'vCenter account of the drivers, such as vdo@vsphere.local',
};
const fileOption: OptionSpec = {
  flags: '--file <file>',
  description: 'VSphereDrivers resource to use (default: read from the cluster)',
  group: 'Objects:',
};
const ssoOption: OptionSpec = {
  flags: '--sso-domain <name>',
  description: 'single sign-on domain of the vCenter',
  default: 'vsphere.local',
  group: 'vCenter:',
};

const passwordOptions: readonly OptionSpec[] = [
  {
    flags: '--secret <name>',
    description: 'store the password in this Secret (default: the Secret in the resource)',
    group: 'Password:',
  },
  {
    flags: '--password-out <file>',
    description: 'write the password to a file that only you can read',
    group: 'Password:',
  },
  { flags: '--show-password', description: 'print the password', default: false, group: 'Password:' },
  {
    flags: '--new-password-file <file>',
    description: 'read the new password from this file instead of generating one',
    group: 'Password:',
  },
];

const certificateOptions: readonly OptionSpec[] = [
  {
    flags: '--certificate <file>',
    description:
      'create a solution user that logs in with this certificate (PEM, RSA) instead of a password; needs --key',
    group: 'Password:',
  },
  { flags: '--key <file>', description: 'private key of the certificate (PEM, unencrypted)', group: 'Password:' },
];

const connectionOptions = withServerFrom(
  vcenterOptions,
  'that of a running sandbox, of --file, or of the VSphereDrivers resource',
);

const adminOptions = [ssoOption, ...connectionOptions, ...outputOptions, ...clusterOptions, yesOption, dryRunOption];

const objectsText =
  'The permissions are for the node VMs of the cluster and for the datastores that all nodes, or all nodes of a zone, share. If there is no cluster yet, select the objects with --vm-folder, --cluster and --datastore.';

export const userCreateCommand: CommandSpec<UserCreateFlags> = {
  path: ['vsphere', 'user', 'create'],
  summary: 'Create the vCenter account of the drivers, with the least privileges.',
  details: `Shows a plan, asks for confirmation, then creates a single sign-on user, roles and permissions. ${objectsText} The administrator account (--user) is used only for this command and is not stored.`,
  arguments: [nameArgument],
  options: [fileOption, ...targetOptions, ...passwordOptions, ...certificateOptions, ...adminOptions],
  examples: [
    {
      command: 'vdoctl vsphere user create vdo@vsphere.local --user administrator@vsphere.local',
      purpose: 'for this cluster',
    },
    {
      command: 'vdoctl vsphere user create vdo@vsphere.local --certificate vdo.crt --key vdo.key',
      purpose: 'create a solution user',
    },
    {
      command: 'vdoctl vsphere user create vdo --vm-folder /DC/vm/k8s --datastore /DC/datastore/d1 --password-out pw',
      purpose: 'before there is a cluster',
    },
  ],
};

export const userApplyCommand: CommandSpec<UserApplyFlags> = {
  path: ['vsphere', 'user', 'apply'],
  summary: 'Update the roles and permissions of the account after the configuration or the hosts have changed.',
  details: `Permissions that are no longer needed are removed. ${objectsText} Also works for Active Directory accounts.`,
  arguments: [nameArgument],
  options: [
    fileOption,
    ...targetOptions,
    {
      flags: '--no-prune',
      description: 'keep permissions that are not needed; use it if several clusters share the account',
      group: 'Change:',
    },
    ...adminOptions,
  ],
  examples: [{ command: 'vdoctl vsphere user apply vdo@vsphere.local --dry-run', purpose: 'show what would change' }],
};

export const userVerifyCommand: CommandSpec<UserVerifyFlags> = {
  path: ['vsphere', 'user', 'verify'],
  summary: 'Log in with the account of the drivers and check its privileges.',
  details:
    'Uses the account in the Secret of the resource, or the account given with --user. Runs the checks privileges/* and node/vm-found. Exits with code 3 if one fails.',
  options: [
    fileOption,
    { flags: '--all', description: 'also list checks that passed or were skipped', default: false },
    ...connectionOptions,
    ...outputOptions,
    ...clusterOptions,
  ],
  examples: [{ command: 'vdoctl vsphere user verify', purpose: 'check the account in the Secret' }],
};

export const userRotateCommand: CommandSpec<UserRotateFlags> = {
  path: ['vsphere', 'user', 'rotate'],
  summary: 'Change the password of the account, in vCenter and in the Secret.',
  details:
    'Open sessions of the drivers continue. When the Secret changes, the drivers use the new password for new logins. If the Secret cannot be written, the old password is restored.',
  arguments: [nameArgument],
  options: [fileOption, ...passwordOptions, ...adminOptions],
  examples: [
    {
      command: 'vdoctl vsphere user rotate vdo@vsphere.local --yes',
      purpose: 'by default, vCenter passwords expire after 90 days',
    },
  ],
};

export const userDeleteCommand: CommandSpec<AdminFlags> = {
  path: ['vsphere', 'user', 'delete'],
  summary: 'Delete the account, its permissions, and roles that no other account uses.',
  arguments: [nameArgument],
  options: adminOptions,
  examples: [{ command: 'vdoctl vsphere user delete vdo@vsphere.local', purpose: 'delete the account; asks first' }],
};
