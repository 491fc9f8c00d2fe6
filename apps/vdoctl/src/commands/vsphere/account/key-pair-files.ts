import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { Account } from '@vdo/config/credentials';
import { keyPairOf } from '@vdo/vsphere/session/key-pair';

const readText = async (file: string, flag: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `cannot read ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: `Pass a readable PEM file with ${flag}.`,
      cause,
    });
  }
};

/** The certificate and key of a solution user; drivers read them as user name and password. Undefined without the flags. */
export const readKeyPair = async (flags: {
  readonly certificate?: string;
  readonly key?: string;
  readonly passwordOut?: string;
  readonly showPassword: boolean;
  readonly newPasswordFile?: string;
}): Promise<Account | undefined> => {
  const { certificate, key, passwordOut, showPassword, newPasswordFile } = flags;
  if (certificate === undefined && key === undefined) return undefined;
  const excess = passwordOut !== undefined || showPassword || newPasswordFile !== undefined;
  if (certificate === undefined || key === undefined || excess)
    throw new VdoError({
      code: 'InvalidArgument',
      message: excess
        ? 'a solution user has a certificate and no password'
        : 'a solution user needs a certificate and its private key',
      remedy: excess
        ? 'Remove --password-out, --show-password and --new-password-file; --secret sets the Secret for both.'
        : 'Pass both files: --certificate FILE --key FILE.',
    });
  const account = {
    username: await readText(certificate, '--certificate'),
    password: await readText(key, '--key'),
  };
  keyPairOf({ ...account, version: '' });
  return account;
};
