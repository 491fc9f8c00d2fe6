import { VdoError } from '@vdo/base/vdo-error';
import type { Account } from '@vdo/config/credentials';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { withVCenter } from '../../shared/vsphere/with-vcenter.ts';
import { principalKey } from './account/account-plan.ts';
import { changePassword } from './account/change-password.ts';
import { fullName, withAdminSession } from './account/gather-account.ts';
import { choosePassword, type PasswordPlace, passwordPlace } from './account/password-place.ts';
import type { UserRotateFlags } from './user-commands.ts';

const mustBeOf = (account: string, kept: Account | undefined, place: PasswordPlace): void => {
  if (!kept || principalKey(kept.username) === principalKey(account)) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `${place.name} contains the account ${kept.username}, not ${account}`,
    remedy: 'Pass that account, or another Secret with --secret.',
  });
};

/** vdoctl vsphere user rotate */
export const rotateUser: CommandRun<UserRotateFlags> = (context, flags, [name = '']) => {
  const account = fullName(name, flags.ssoDomain);
  const elsewhere = flags.passwordOut !== undefined || flags.showPassword;
  const from = flags.secret === undefined && !elsewhere ? 'cluster' : 'flags';
  return withAdminSession(context, flags, from, async (admin) => {
    const { signal, terminal } = context;
    const place = passwordPlace(admin, flags, signal);
    const kept = await place.read();
    mustBeOf(account, kept, place);
    if (!(await admin.vcenter.sso.findUser(account, { signal }))) {
      throw new VdoError({
        code: 'VCenterObjectNotFound',
        message: `account ${account} does not exist on vCenter ${admin.vcenter.server}`,
        remedy: `Create it with vdoctl vsphere user create ${account}.`,
      });
    }
    const data = { account, server: admin.vcenter.server, passwordIn: place.name };
    const lines = () => [`${account} gets a new password, in vCenter ${data.server} and in ${place.name}.`];
    if (flags.dryRun) {
      printResult(context, flags.output, { data: { ...data, changed: false }, lines });
      return exitCodes.done;
    }
    if (!(await confirm(context, flags, `Change the password of ${account}?`))) return exitCodes.failed;
    const next = { username: account, password: await choosePassword(context, flags) };
    await changePassword(admin.vcenter.sso, place, { next, kept, signal });
    await withVCenter(context, flags, async () => undefined, { ...(admin.spec ? { spec: admin.spec } : {}), as: next });
    printResult(context, flags.output, {
      data: { ...data, changed: true, ...(place.shown ? { password: next.password } : {}) },
      lines: () => [`${account} has a new password, in vCenter ${data.server} and in ${place.name}.`],
    });
    const asData = flags.output === 'json' || flags.output === 'yaml';
    if (place.shown && !asData) terminal.out(`Password: ${next.password}\n`);
    return exitCodes.done;
  });
};
