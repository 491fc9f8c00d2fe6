import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import { type CheckGroup, checkGroups, docsAnchor } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { worstFirst } from '@vdo/checks/summarize';
import { checkup } from '../../checkup/checkup.ts';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { printResult } from '../../output/print-result.ts';
import { paintFor } from '../../output/style.ts';
import type { DoctorFlags } from './command.ts';
import { countOf, doctorLines } from './view.ts';

const groupsOf = (only: readonly string[]): readonly CheckGroup[] => {
  const stranger = only.find((group) => !(checkGroups as readonly string[]).includes(group));
  if (stranger !== undefined) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `--only ${stranger}: there is no such group of checks`,
      remedy: `Name some of ${checkGroups.join(', ')}, separated by commas.`,
    });
  }
  return only.length === 0 ? checkGroups : checkGroups.filter((group) => only.includes(group));
};

/** vdoctl doctor */
export const doctor: CommandRun<DoctorFlags> = async (context, flags) => {
  const groups = groupsOf(flags.only);
  const outcomes = runChecks(checksOf(allChecks, groups), await checkup(context, flags, groups));
  printResult(context, flags.output, {
    data: outcomes
      .toSorted(worstFirst)
      .map((outcome) => ({ ...outcome, docs: `docs/reference/${docsAnchor(outcome.id)}` })),
    lines: () =>
      doctorLines(outcomes, {
        paint: paintFor(context, flags),
        width: Math.min(context.terminal.columns ?? 100, 120),
        all: flags.all,
      }),
  });
  return countOf(outcomes, 'Fail') > 0 ? exitCodes.unhealthy : exitCodes.done;
};
