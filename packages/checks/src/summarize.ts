import type { FailingCheck, VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import { actionLadder, type CheckOutcome, type CheckResult, type CheckTally, docsAnchor } from './check.ts';
import { namingTheCause } from './naming-the-cause.ts';

/** How many failures a status names. */
export const maxFailing = 50;
const severity: Readonly<Record<CheckResult, number>> = { Fail: 3, Unknown: 2, Warn: 1, Skipped: 0, Pass: 0 };

/** What could not run because of another problem adds nothing: it must not take the place of a warning. */
const weightOf = ({ result, reason }: CheckOutcome): number =>
  result === 'Unknown' && reason === 'DependsOnFailure' ? 0.5 : severity[result];

/** Worst first, then by check and object. */
export const worstFirst = (left: CheckOutcome, right: CheckOutcome): number =>
  weightOf(right) - weightOf(left) ||
  actionLadder.indexOf(right.action) - actionLadder.indexOf(left.action) ||
  left.id.localeCompare(right.id) ||
  left.object.name.localeCompare(right.object.name);

type Bad = CheckOutcome & { readonly result: FailingCheck['result'] };
const isBad = (outcome: CheckOutcome): outcome is Bad => severity[outcome.result] > 0;

const toStatus = ({ id, result, reason, message, remedy, commands = [], object }: Bad): FailingCheck => ({
  id,
  result,
  reason,
  message: message.slice(0, 4096),
  remedy: remedy.slice(0, 4096),
  ...(commands.length === 0 ? {} : { commands: commands.slice(0, 10).map((one) => one.slice(0, 4096)) }),
  docs: `docs/reference/${docsAnchor(id)}`,
  object,
});

/** The `checks` of the status: counts, and the worst 50 with their remedies. */
export const summarize = (
  tallies: readonly CheckTally[],
  lastRunTime: string,
): NonNullable<VSphereDriversStatus['checks']> => {
  const counts: Record<CheckResult, number> = { Pass: 0, Warn: 0, Fail: 0, Unknown: 0, Skipped: 0 };
  for (const { result, count } of tallies.flatMap((one) => one.counts)) counts[result] += count;
  return {
    pass: counts.Pass,
    warn: counts.Warn,
    fail: counts.Fail,
    unknown: counts.Unknown,
    skipped: counts.Skipped,
    lastRunTime,
    failing: namingTheCause(tallies.flatMap(({ notable }) => notable))
      .filter(isBad)
      .sort(worstFirst)
      .slice(0, maxFailing)
      .map(toStatus),
  };
};
