import { type CheckGroup, type CheckOutcome, type CheckTally, groupOf } from '@vdo/checks/check';
import { decideGates } from '@vdo/checks/decide-gates';
import { summarize, worstFirst } from '@vdo/checks/summarize';
import type { ChecksObservation } from '../observation.ts';

const failing = (outcomes: readonly CheckOutcome[], groups: readonly CheckGroup[]): readonly CheckOutcome[] =>
  outcomes.filter(({ id, result }) => result === 'Fail' && groups.includes(groupOf({ id }))).sort(worstFirst);

const stopsStorage = ({ action }: CheckOutcome): boolean => action === 'BlockUpgradeOrDegrade' || action === 'Degrade';

/** What the check results mean for status and conditions. Pure. */
export const observeOutcomes = (
  tallies: readonly CheckTally[],
  { installed, lastRunTime }: { readonly installed: boolean; readonly lastRunTime: string },
): ChecksObservation => {
  const outcomes = tallies.flatMap(({ notable }) => notable);
  const { installBlockers, upgradeable, degraded, failing: anyFailing } = decideGates(outcomes, installed);
  const privileges = tallies.filter((one) => groupOf(one) === 'privileges').flatMap(({ counts }) => counts);
  return {
    summary: summarize(tallies, lastRunTime),
    installBlockers,
    upgradeable,
    degraded,
    failing: anyFailing,
    privileges: {
      passed: privileges.reduce((sum, { result, count }) => sum + (result === 'Pass' ? count : 0), 0),
      failing: failing(outcomes, ['privileges']),
    },
    nodes: failing(outcomes, ['node']),
    storage: failing(outcomes, ['storage', 'csi']).filter(stopsStorage),
  };
};
