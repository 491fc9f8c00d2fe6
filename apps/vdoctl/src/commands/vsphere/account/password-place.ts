import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { Account } from '@vdo/config/credentials';
import type { CliContext } from '../../../cli/context.ts';
import {
  accountKeys,
  readSecret,
  type SecretPlace,
  writePasswordFile,
  writeSecret,
} from '../../../shared/vsphere/store-password.ts';
import type { AdminSession } from './gather-account.ts';
import { newPassword } from './new-password.ts';

export interface PlaceFlags {
  readonly secret?: string;
  readonly passwordOut?: string;
  readonly showPassword: boolean;
  readonly newPasswordFile?: string;
  readonly driver?: 'cpi' | 'csi';
}

/** Where the password of the account is stored. */
export interface PasswordPlace {
  /** For messages: `Secret vmware-system-vdo/vcenter`. */
  readonly name: string;
  /** Whether the password may be shown. */
  readonly shown: boolean;
  /** The account that is stored there now. */
  read(): Promise<Account | undefined>;
  /** Throws if the password could not be stored. Changes nothing. */
  tryOut(account: Account): Promise<void>;
  write(account: Account): Promise<void>;
}

const secretPlace = (place: SecretPlace): PasswordPlace => ({
  name: `Secret ${place.namespace}/${place.name}`,
  shown: false,
  read: async () => {
    const data = (await readSecret(place)) ?? {};
    const [usernameKey, passwordKey] = accountKeys(data, place.server);
    const [username, password] = [data[usernameKey], data[passwordKey]];
    return username === undefined || password === undefined ? undefined : { username, password };
  },
  tryOut: (account) => writeSecret(place, account, { dryRun: true }),
  write: (account) => writeSecret(place, account),
});

const noOwnSecret = (driver: 'cpi' | 'csi'): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `the resource has no Secret for a separate account of ${driver}`,
    remedy: `Choose a Secret with --secret, then set it in the resource: kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"${driver}":{"credentialsSecret":"NAME"}}}'`,
  });

/** Selects the place; throws InvalidArgument if there is none, before anything is changed. */
export const passwordPlace = (admin: AdminSession, flags: PlaceFlags, signal: AbortSignal): PasswordPlace => {
  const { passwordOut, showPassword } = flags;
  const { cluster, resource, spec, vcenter } = admin;
  if (passwordOut !== undefined) {
    const write = ({ password }: Account) => writePasswordFile(passwordOut, password);
    // The file is written before the account is created, so that the password is not lost.
    return { name: `file ${passwordOut}`, shown: showPassword, read: async () => undefined, tryOut: write, write };
  }
  const { driver } = flags;
  const own = driver && resource?.spec[driver]?.credentialsSecret;
  // The account of one driver has fewer privileges than the others need: it must not replace theirs.
  if (driver && resource && own === undefined && flags.secret === undefined && !showPassword) throw noOwnSecret(driver);
  const name = flags.secret ?? (showPassword ? undefined : (own ?? spec?.credentialsSecret));
  if (name !== undefined && cluster) {
    const { kube, namespace } = cluster;
    return {
      ...secretPlace({ kube, namespace, name, server: spec?.server ?? vcenter.server, signal }),
      shown: showPassword,
    };
  }
  if (showPassword)
    return {
      name: 'the screen',
      shown: true,
      read: async () => undefined,
      tryOut: async () => {},
      write: async () => {},
    };
  throw new VdoError({
    code: 'InvalidArgument',
    message: 'no destination is set for the password of the account',
    remedy: 'Set a Secret with --secret or a file with --password-out, or print the password with --show-password.',
  });
};

/** The password from the file, or a generated one. */
export const choosePassword = async (
  { random }: Pick<CliContext, 'random'>,
  { newPasswordFile }: PlaceFlags,
): Promise<string> => {
  if (newPasswordFile === undefined) return newPassword(random);
  const text = await readFile(newPasswordFile, 'utf8').catch((error: unknown) => {
    throw new VdoError({
      code: 'ConfigMissing',
      message: `cannot read the new password from ${newPasswordFile}: ${error instanceof Error ? error.message : String(error)}`,
      remedy: 'Pass a readable file with --new-password-file.',
      cause: error,
    });
  });
  const password = text.replace(/\r?\n$/, '');
  if (password !== '') return password;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `the new password in ${newPasswordFile} is empty`,
    remedy: 'Write the password to the file, or remove --new-password-file to generate one.',
  });
};
