import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { Account } from '@vdo/config/credentials';
import type { CliContext } from '../../cli/context.ts';
import { ask } from './ask-secret.ts';
import { passwordVariable, type VCenterFlags } from './vcenter-options.ts';

const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

const readPasswordFile = async (file: string): Promise<string> => {
  try {
    return withoutLineEnd(await readFile(file, 'utf8'));
  } catch (error) {
    throw new VdoError({
      code: 'ConfigMissing',
      message: `cannot read the password file ${file}: ${error instanceof Error ? error.message : String(error)}`,
      remedy: 'Pass a readable file with --password-file.',
      cause: error,
    });
  }
};

const readPassword = async (context: CliContext, flags: VCenterFlags, user: string): Promise<string> => {
  if (flags.passwordFile !== undefined) return readPasswordFile(flags.passwordFile);
  if (flags.passwordStdin) return withoutLineEnd(await context.terminal.readInput());
  const variable = context.env[passwordVariable];
  if (variable !== undefined && variable !== '') return variable;
  return ask(context.terminal, `Password of ${user}`, {
    hidden: true,
    remedy: `Set it with --password-file, --password-stdin or the environment variable ${passwordVariable}.`,
    signal: context.signal,
  });
};

/** The account from the flags; missing values are asked for. It is used for this command only and never stored. */
export const readAccount = async (context: CliContext, flags: VCenterFlags): Promise<Account> => {
  const username =
    flags.user ??
    (await ask(context.terminal, `User of ${flags.server}`, {
      remedy: 'Set it with --user or the environment variable VDO_VCENTER_USER.',
      signal: context.signal,
    }));
  return { username, password: await readPassword(context, flags, username) };
};
