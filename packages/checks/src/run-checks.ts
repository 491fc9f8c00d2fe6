import { toVdoError } from '@vdo/base/vdo-error';
import { type Check, type CheckGroup, type CheckOutcome, groupOf, type Verdict } from './check.ts';
import type { ClusterFacts } from './facts.ts';
import { namingTheCause } from './naming-the-cause.ts';

/** A check that throws is a defect, and must not stop the others. */
const judge = (check: Check, facts: ClusterFacts): readonly Verdict[] => {
  try {
    return check.judge(facts);
  } catch (error) {
    const { code, message, remedy } = toVdoError(error);
    return [{ result: 'Unknown', reason: code, message, remedy, object: { kind: 'Check', name: check.id } }];
  }
};

/** Runs all checks on the same facts. */
export const runChecks = (checks: readonly Check[], facts: ClusterFacts): readonly CheckOutcome[] =>
  namingTheCause(
    checks.flatMap((check) =>
      judge(check, facts).map((verdict) => ({
        id: check.id,
        ...verdict,
        action: verdict.result === 'Fail' ? check.action : 'None',
      })),
    ),
  );

/** The checks whose facts are gathered for these groups. */
export const checksOf = (checks: readonly Check[], groups: readonly CheckGroup[]): readonly Check[] =>
  checks.filter((check) => groups.includes(groupOf(check)));
