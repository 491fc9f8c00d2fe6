import type { FailingCheck, VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import { type Action, actionLadder, type CheckOutcome, type CheckResult } from './check.ts';

const maxFailing = 50;
const severity: Readonly<Record<CheckResult, number>> = { Fail: 3, Unknown: 2, Warn: 1, Skipped: 0, Pass: 0 };

/** The worst first, then by check and object. */
export const worstFirst = (left: CheckOutcome, right: CheckOutcome): number =>
  severity[right.result] - severity[left.result] ||
  actionLadder.indexOf(right.action) - actionLadder.indexOf(left.action) ||
  left.id.localeCompare(right.id) ||
  left.object.name.localeCompare(right.object.name);

const toStatus = ({ id, result, reason, message, remedy, object }: CheckOutcome): readonly FailingCheck[] =>
  result === 'Warn' || result === 'Fail' || result === 'Unknown'
    ? [{ id, result, reason, message: message.slice(0, 4096), remedy: remedy.slice(0, 4096), object }]
    : [];

/** The `checks` of the status: counts, and the worst 50 with their remedies. */
export const summarize = (
  outcomes: readonly CheckOutcome[],
  lastRunTime: string,
): NonNullable<VSphereDriversStatus['checks']> => {
  const count = (result: CheckResult): number => outcomes.filter((outcome) => outcome.result === result).length;
  return {
    pass: count('Pass'),
    warn: count('Warn'),
    fail: count('Fail'),
    unknown: count('Unknown'),
    skipped: count('Skipped'),
    lastRunTime,
    failing: [...outcomes].sort(worstFirst).flatMap(toStatus).slice(0, maxFailing),
  };
};

/** The worst action of all outcomes. */
export const worstAction = (outcomes: readonly CheckOutcome[]): Action =>
  outcomes.reduce<Action>(
    (worst, { action }) => (actionLadder.indexOf(action) > actionLadder.indexOf(worst) ? action : worst),
    'None',
  );
