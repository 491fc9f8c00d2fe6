import { VdoError } from '@vdo/base/vdo-error';
import type { Account } from '@vdo/config/credentials';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress } from '../../output/progress.ts';
import { askForChecks } from '../../shared/checkup/ask-for-checks.ts';
import type { TargetFlags } from '../../shared/vsphere/target-options.ts';
import { type AccountPlan, planAccount, principalKey } from './account/account-plan.ts';
import { applyPlan } from './account/apply-plan.ts';
import {
  type AdminSession,
  fullName,
  gatherWanted,
  isLocal,
  readAccess,
  withAdminSession,
} from './account/gather-account.ts';
import { readKeyPair } from './account/key-pair-files.ts';
import { choosePassword, type PasswordPlace, passwordPlace } from './account/password-place.ts';
import { planData, planLines, stepText } from './account/show-plan.ts';
import type { AdminFlags, UserApplyFlags, UserCreateFlags } from './user-commands.ts';

/** With --vm-folder and the like, no cluster is read. */
const sourceOf = ({ vmFolder }: TargetFlags) => (vmFolder.length > 0 ? 'flags' : 'cluster');

const mustBeLocal = (account: string, ssoDomain: string): void => {
  if (isLocal(account, ssoDomain)) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `cannot create ${account}: vCenter can create accounts only in its own domain ${ssoDomain}`,
    remedy: `Use NAME@${ssoDomain} (or set --sso-domain if the domain is wrong). Or create the account in its directory, then run vdoctl vsphere user apply.`,
  });
};

const makePlan = async (
  context: CliContext,
  admin: AdminSession,
  flags: AdminFlags & TargetFlags,
  input: { readonly account: string; readonly prune: boolean },
): Promise<{ readonly plan: AccountPlan; readonly userExists: boolean }> => {
  const { signal } = context;
  const progress = createProgress(context);
  progress.update(`reading ${admin.vcenter.server}`);
  try {
    const { roles, grants, inventory } = await gatherWanted(context, admin, flags);
    const access = await readAccess(admin, { ...input, ssoDomain: flags.ssoDomain, inventory, signal });
    return { plan: planAccount({ ...input, roles, grants }, access), userExists: access.userExists };
  } finally {
    progress.end();
  }
};

/** A run that failed half-way left the account with its password in place. Any other existing account is not taken over. */
const mustHavePassword = async (account: string, place: PasswordPlace, pair: Account | undefined): Promise<void> => {
  const kept = await place.read();
  if (kept && (pair ? kept.username === pair.username : principalKey(kept.username) === principalKey(account))) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `${account} already exists, and ${place.name} does not contain its password`,
    remedy: `To set a new password, run vdoctl vsphere user rotate ${account}. To update only its permissions, run vdoctl vsphere user apply ${account}.`,
  });
};

const mayChange = async (
  context: CliContext,
  flags: AdminFlags,
  admin: AdminSession,
  plan: AccountPlan,
): Promise<boolean> => {
  if (await confirm(context, flags, `Make these ${plan.steps.length} changes on ${admin.vcenter.server}?`)) return true;
  context.terminal.err('Nothing was changed.\n');
  return false;
};

const carryOut = async (
  context: CliContext,
  admin: AdminSession,
  plan: AccountPlan,
  createUser?: (name: string) => Promise<void>,
): Promise<void> => {
  const progress = createProgress(context);
  try {
    await applyPlan(admin.vcenter, plan, {
      signal: context.signal,
      onStep: (step) => progress.update(stepText(step)),
      ...(createUser ? { createUser } : {}),
    });
    progress.done(`${plan.account}: ${plan.steps.length} changes made`);
  } finally {
    progress.end();
  }
};

const description = 'Account of the vSphere drivers of a Kubernetes cluster (VDO).';

/** Creates the user. Its password is stored before anything else can fail. */
const makeUser = async (
  context: CliContext,
  admin: AdminSession,
  flags: UserCreateFlags,
  { user, place, pair }: { readonly user: string; readonly place: PasswordPlace; readonly pair: Account | undefined },
): Promise<string> => {
  const { sso } = admin.vcenter;
  if (pair) {
    await place.tryOut(pair);
    const { signal } = context;
    await sso.createSolutionUser({ name: user, certificate: pair.username, description }, { signal });
    await place.write(pair);
    return pair.password;
  }
  const made = { username: user, password: await choosePassword(context, flags) };
  await place.tryOut(made);
  await sso.createUser({ name: user, password: made.password, details: { description } }, { signal: context.signal });
  await place.write(made);
  return made.password;
};

const whereTo = ({ name }: PasswordPlace, pair: Account | undefined): string =>
  `${pair ? 'the certificate, with its key,' : 'the password'} is stored in ${name}`;

const isData = ({ output }: UserCreateFlags): boolean => output === 'json' || output === 'yaml';

const printerOf =
  (context: CliContext, { output }: UserCreateFlags, plan: AccountPlan) =>
  (password?: string) =>
    printResult(context, output, {
      data: { ...planData(plan), ...(password === undefined ? {} : { password }) },
      lines: () => planLines(plan),
    });

/** vdoctl vsphere user create */
export const createUser: CommandRun<UserCreateFlags> = async (context, flags, [name = '']) => {
  const account = fullName(name, flags.ssoDomain);
  mustBeLocal(account, flags.ssoDomain);
  const pair = await readKeyPair(flags);
  return withAdminSession(context, flags, sourceOf(flags), async (admin) => {
    const place = passwordPlace(admin, flags, context.signal);
    const { plan, userExists } = await makePlan(context, admin, flags, { account, prune: false });
    if (userExists) await mustHavePassword(account, place, pair);
    const notes = [...plan.notes, ...(userExists ? [] : [whereTo(place, pair)])];
    const asData = isData(flags);
    const print = printerOf(context, flags, { ...plan, notes });
    // Text output shows the plan before the question; JSON and YAML are printed once, with the result.
    if (!asData || flags.dryRun) print();
    if (flags.dryRun) return exitCodes.done;
    let password: string | undefined;
    if (plan.steps.length > 0) {
      if (!(await mayChange(context, flags, admin, plan))) return exitCodes.failed;
      await carryOut(context, admin, plan, async (user) => {
        password = await makeUser(context, admin, flags, { user, place, pair });
      });
    }
    const reported = place.shown ? password : undefined;
    if (asData) print(reported);
    else if (reported !== undefined) context.terminal.out(`Password: ${reported}\n`);
    return exitCodes.done;
  });
};

/** vdoctl vsphere user apply */
export const applyUser: CommandRun<UserApplyFlags> = (context, flags, [name = '']) => {
  const account = fullName(name, flags.ssoDomain);
  return withAdminSession(context, flags, sourceOf(flags), async (admin) => {
    const { plan, userExists } = await makePlan(context, admin, flags, { account, prune: flags.prune });
    if (!userExists) {
      throw new VdoError({
        code: 'VCenterObjectNotFound',
        message: `account ${account} does not exist on vCenter ${admin.vcenter.server}`,
        remedy: `Create it with vdoctl vsphere user create ${account}.`,
      });
    }
    printResult(context, flags.output, { data: planData(plan), lines: () => planLines(plan) });
    if (flags.dryRun || plan.steps.length === 0) return exitCodes.done;
    if (!(await mayChange(context, flags, admin, plan))) return exitCodes.failed;
    await carryOut(context, admin, plan);
    // The operator updates the status soon. Without permission to request a run, wait for its next regular run.
    if (admin.cluster) await askForChecks(admin.cluster.kube, context).catch(() => undefined);
    return exitCodes.done;
  });
};
