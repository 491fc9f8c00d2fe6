import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { Account } from '@vdo/config/credentials';
import type { CliContext } from '../../cli/context.ts';
import { createProgress } from '../../output/progress.ts';
import { readAccount } from '../../shared/vsphere/read-account.ts';
import { passwordVariable, type VCenterFlags } from '../../shared/vsphere/vcenter-options.ts';
import { type OpenedVCenter, openVCenter } from '../../shared/vsphere/with-vcenter.ts';
import { type Asker, backWord, GoBack } from './asker.ts';

/** vCenter locks an account after five refused logins within three minutes, and other programs may also use the account. */
const allowed = 3;
const windowMs = 180_000;

const tooMany = (server: string, waitMs: number): VdoError =>
  new VdoError({
    code: 'VCenterLoginRejected',
    message: `${server} refused ${allowed} logins within three minutes; another attempt could lock the account`,
    remedy: `Make sure you have the right password, wait ${Math.ceil(waitMs / 1000)}s, and run vdoctl configure again. It continues from here.`,
  });

export interface SignInOptions {
  readonly asker: Asker;
  readonly flags: VCenterFlags & { readonly server: string };
  /** The vCenter as configured. */
  readonly spec?: VCenterSpec;
  /** The user name that was entered last time. */
  readonly user?: string;
  /** Times of earlier refused logins. */
  readonly refusedAt: readonly number[];
  readonly onRefused: (refusedAt: readonly number[]) => Promise<void>;
}

/** Whether the password is typed: any other source would give the same password again. */
const isAsked = ({ env }: CliContext, { passwordFile, passwordStdin }: VCenterFlags): boolean =>
  passwordFile === undefined && !passwordStdin && !env[passwordVariable];

/** User and password; undefined if only Enter was pressed, which must not count as a login attempt. */
const askAccount = async (
  context: CliContext,
  { flags, asker }: SignInOptions,
  user: string | undefined,
): Promise<Account | undefined> => {
  const username = flags.user ?? (await asker.text(`User of ${flags.server}`, user));
  const account = await readAccount(context, { ...flags, user: username });
  if (!isAsked(context, flags)) return account;
  if (account.password === backWord) throw new GoBack();
  return account.password === '' ? undefined : account;
};

/** The error if vCenter refused the login. */
const tryAccount = async (
  context: CliContext,
  { flags, spec }: SignInOptions,
  account: Account,
): Promise<OpenedVCenter | VdoError> => {
  const progress = createProgress(context, { elsewhere: 'silent' });
  progress.update(`logging in to ${flags.server}`);
  try {
    return await openVCenter(context, flags, { as: account, ...(spec ? { spec } : {}) });
  } catch (error) {
    if (isVdoError(error, 'VCenterLoginRejected')) return error;
    throw error;
  } finally {
    progress.end();
  }
};

/** Asks for user and password until vCenter accepts them, within the number of attempts that is safe for the account. */
export const signIn = async (context: CliContext, options: SignInOptions): Promise<OpenedVCenter> => {
  const { flags } = options;
  const { clock, terminal } = context;
  let { user, refusedAt } = options;
  for (;;) {
    const recent = refusedAt.filter((time) => clock.now() - time < windowMs);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= allowed) throw tooMany(flags.server, oldest + windowMs - clock.now());
    const account = await askAccount(context, options, user);
    if (!account) continue;
    const opened = await tryAccount(context, options, account);
    if (!(opened instanceof VdoError)) return opened;
    refusedAt = [...recent, clock.now()];
    await options.onRefused(refusedAt);
    if (!isAsked(context, flags)) throw opened;
    const left = allowed - refusedAt.length;
    const tries = left === 1 ? '1 attempt is' : `${left} attempts are`;
    if (left > 0)
      terminal.err(
        `${flags.server} refused this user name and password. ${tries} left before the account could be locked.\n`,
      );
    user = account.username;
  }
};
