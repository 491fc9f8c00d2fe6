import { requiredPrivileges } from '@vdo/checks/privileges/required-privileges';
import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { confirm } from '../../output/confirm.ts';
import { printResult } from '../../output/print-result.ts';
import { createProgress } from '../../output/progress.ts';
import { planRemoval } from './account/account-plan.ts';
import { applyPlan } from './account/apply-plan.ts';
import { readInventory } from './account/find-targets.ts';
import { fullName, readAccess, withAdminSession } from './account/gather-account.ts';
import { requireUnusedAccount } from './account/require-unused-account.ts';
import { planData, planLines, stepText } from './account/show-plan.ts';
import type { AdminFlags } from './user-commands.ts';

/** Every role that an account may have. */
const allRoles = () => requiredPrivileges({ csi: vsphereDriversSpec.shape.csi.parse({ fileVolumes: {} }) });

/** vdoctl vsphere user delete */
export const deleteUser: CommandRun<AdminFlags> = (context, flags, [name = '']) =>
  withAdminSession(context, flags, 'flags', async (admin) => {
    const { signal } = context;
    const account = fullName(name, flags.ssoDomain);
    const inventory = await readInventory(admin.vcenter, signal);
    const access = await readAccess(admin, { account, ssoDomain: flags.ssoDomain, inventory, signal });
    const plan = planRemoval({ account, roles: allRoles() }, access);
    const lines = () =>
      plan.steps.length > 0 ? planLines(plan) : [`${account} and its permissions do not exist. No changes.`];
    printResult(context, flags.output, { data: planData(plan), lines });
    if (plan.steps.length > 0) await requireUnusedAccount(context, flags, { account, server: admin.vcenter.server });
    if (flags.dryRun || plan.steps.length === 0) return exitCodes.done;
    if (
      !(await confirm(
        context,
        flags,
        `Delete ${account} from ${admin.vcenter.server}? Drivers that use it will stop working.`,
      ))
    )
      return exitCodes.failed;
    const progress = createProgress(context);
    try {
      await applyPlan(admin.vcenter, plan, { signal, onStep: (step) => progress.update(stepText(step)) });
      progress.done(`${account} deleted`);
    } finally {
      progress.end();
    }
    return exitCodes.done;
  });
