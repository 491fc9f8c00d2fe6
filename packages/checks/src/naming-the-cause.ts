import { type CheckOutcome, checkGroups } from './check.ts';

const idForm = new RegExp(`\\b(?:${checkGroups.join('|')})/[a-z][a-z-]*`, 'g');

const inWords = (ids: readonly string[]): string =>
  ids.length < 2 ? ids.join('') : `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;

/**
 * What could not run names the check that shows the cause. That one may itself be unable to run: then the remedy of both is the check that
 * fails, and checks that passed are not named. Without such a check the remedy stays as it is.
 */
export const namingTheCause = <T extends CheckOutcome>(outcomes: readonly T[]): readonly T[] => {
  const failed = new Set<string>();
  const refersTo = new Map<string, readonly string[]>();
  for (const { id, result, reason, remedy } of outcomes) {
    if (result === 'Fail' || (result === 'Unknown' && reason !== 'DependsOnFailure')) failed.add(id);
    else if (result === 'Unknown')
      refersTo.set(id, [...new Set([...(refersTo.get(id) ?? []), ...(remedy.match(idForm) ?? [])])]);
  }
  const known = new Map<string, readonly string[]>();
  const causesOf = (id: string): readonly string[] => {
    const before = known.get(id);
    if (before) return before;
    // Two checks that name each other end here.
    known.set(id, []);
    const causes = failed.has(id) ? [id] : (refersTo.get(id) ?? []).flatMap(causesOf);
    known.set(id, [...new Set(causes)]);
    return known.get(id) ?? [];
  };
  return outcomes.map((outcome) => {
    if (outcome.result !== 'Unknown' || outcome.reason !== 'DependsOnFailure') return outcome;
    const causes = [...new Set((outcome.remedy.match(idForm) ?? []).flatMap(causesOf))];
    return causes.length === 0 ? outcome : { ...outcome, remedy: `See ${inWords(causes)}.` };
  });
};
