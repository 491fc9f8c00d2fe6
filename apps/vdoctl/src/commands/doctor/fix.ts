import { toVdoError } from '@vdo/base/vdo-error';
import type { CheckOutcome } from '@vdo/checks/check';
import type { CliContext } from '../../cli/context.ts';
import { withCluster } from '../../cluster/open-cluster.ts';
import { confirm } from '../../progress/confirm.ts';
import { applyFix } from './apply-fix.ts';
import type { DoctorFlags } from './command.ts';
import type { FixPlan } from './fixes.ts';

const handLine = ({ id, object, remedy }: CheckOutcome): string => `  ${id}  ${object.kind} ${object.name}: ${remedy}`;

/** What would be done and what is left to people. */
export const fixLines = ({ fixes, byHand }: FixPlan): readonly string[] => [
  '',
  ...(fixes.length === 0
    ? ['Nothing of this can be fixed from here.']
    : ['To be fixed now:', ...fixes.map(({ check, what }) => `  ${check}  ${what}`)]),
  ...(byHand.length === 0 ? [] : ['To be done by hand:', ...byHand.map(handLine)]),
];

/** Asks, then does every fix; one that fails does not keep the others. Undefined if nothing was done. */
export const runFixes = async (
  context: CliContext,
  flags: DoctorFlags,
  { fixes }: FixPlan,
): Promise<{ readonly failed: number } | undefined> => {
  const { terminal, signal } = context;
  if (flags.dryRun || fixes.length === 0) return undefined;
  return withCluster(context, flags, async ({ kube, server }) => {
    const what = fixes.length === 1 ? 'this' : `these ${fixes.length}`;
    if (!(await confirm(context, flags, `Fix ${what} on ${server}?`))) {
      terminal.err('Nothing was changed.\n');
      return undefined;
    }
    let failed = 0;
    for (const fix of fixes) {
      try {
        await applyFix(kube, fix, signal);
        terminal.err(`Done: ${fix.what}\n`);
      } catch (error) {
        signal.throwIfAborted();
        failed += 1;
        terminal.err(`Failed: ${fix.what}: ${toVdoError(error).message}\n`);
      }
    }
    return { failed };
  });
};
