import type { CheckOutcome } from '@vdo/checks/check';
import { decideGates } from '@vdo/checks/decide-gates';
import { summarize, worstFirst } from '@vdo/checks/summarize';
import type { ChecksObservation } from '../observation.ts';

const failing = (outcomes: readonly CheckOutcome[], groups: readonly string[]): readonly CheckOutcome[] =>
  outcomes.filter(({ id, result }) => result === 'Fail' && groups.includes(id.slice(0, 2))).sort(worstFirst);

const stopsStorage = ({ action }: CheckOutcome): boolean => action === 'BlockUpgradeOrDegrade' || action === 'Degrade';

/** What the outcomes of all checks mean for status and conditions. Pure. */
export const observeOutcomes = (
  outcomes: readonly CheckOutcome[],
  { installed, lastRunTime }: { readonly installed: boolean; readonly lastRunTime: string },
): ChecksObservation => {
  const { installBlockers, upgradeable, degraded } = decideGates(outcomes, installed);
  const privileges = outcomes.filter(({ id }) => id.startsWith('PR/'));
  return {
    summary: summarize(outcomes, lastRunTime),
    installBlockers,
    upgradeable,
    degraded,
    privileges: {
      passed: privileges.filter(({ result }) => result === 'Pass').length,
      failing: failing(outcomes, ['PR']),
    },
    nodes: failing(outcomes, ['ND']),
    storage: failing(outcomes, ['ST', 'CS']).filter(stopsStorage),
  };
};
