import type { Check, CheckOutcome, CheckResult, CheckTally } from './check.ts';
import type { ClusterFacts } from './facts.ts';
import { runChecks } from './run-checks.ts';
import { maxFailing, worstFirst } from './summarize.ts';

const isDoubtful = ({ result }: CheckOutcome): boolean => result === 'Unknown' || result === 'Warn';

/** Counts the results of one check, and keeps those that must be reported. */
export const tally = (id: string, outcomes: readonly CheckOutcome[]): CheckTally => {
  const counts = new Map<string, { readonly kind: string; readonly result: CheckResult; count: number }>();
  for (const { object, result } of outcomes) {
    const key = `${result} ${object.kind}`;
    const entry = counts.get(key) ?? { kind: object.kind, result, count: 0 };
    entry.count += 1;
    counts.set(key, entry);
  }
  const doubtful = outcomes.filter(isDoubtful).sort(worstFirst).slice(0, maxFailing);
  return {
    id,
    counts: [...counts.values()],
    notable: [...outcomes.filter(({ result }) => result === 'Fail'), ...doubtful],
  };
};

/** Runs checks one after the other, so that only the outcomes of one check are in memory at a time. */
export const tallyChecks = (checks: readonly Check[], facts: ClusterFacts): readonly CheckTally[] =>
  checks.map((check) => tally(check.id, runChecks([check], facts)));
