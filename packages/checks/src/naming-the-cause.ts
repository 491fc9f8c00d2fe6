import { type CheckObject, type CheckOutcome, checkGroups } from './check.ts';

const idForm = /\b[a-z]+\/[a-z][a-z-]*/g;
const isId = (word: string): boolean => (checkGroups as readonly string[]).includes(word.slice(0, word.indexOf('/')));

const inWords = (ids: readonly string[]): string =>
  ids.length < 2 ? ids.join('') : `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;

const isUnable = ({ result, reason }: CheckOutcome): boolean => result === 'Unknown' && reason === 'DependsOnFailure';
const isFine = ({ result }: CheckOutcome): boolean => result === 'Pass' || result === 'Skipped';
const namedIn = ({ remedy }: CheckOutcome): readonly string[] => (remedy.match(idForm) ?? []).filter(isId);
const keyOf = ({ kind, name, namespace = '' }: CheckObject): string => `${kind} ${namespace} ${name}`;

/**
 * What could not run names the check that shows the cause. That one may itself be unable to run: then the remedy of both is the check that
 * does not pass, and checks that passed are not named. A check of the same kind of object counts by its result for the same object. Without
 * such a check the remedy stays as it is.
 */
export const namingTheCause = <T extends CheckOutcome>(outcomes: readonly T[]): readonly T[] => {
  const byCheck = new Map<string, Map<string, T[]>>();
  for (const outcome of outcomes) {
    const objects = byCheck.get(outcome.id) ?? new Map<string, T[]>();
    const key = keyOf(outcome.object);
    objects.set(key, [...(objects.get(key) ?? []), outcome]);
    byCheck.set(outcome.id, objects);
  }
  /** What a check found that concerns this object: about it, or, of another kind, about any. */
  const concerning = (id: string, { kind, ...object }: CheckObject): readonly T[] => {
    const objects = byCheck.get(id) ?? new Map<string, T[]>();
    return (
      objects.get(keyOf({ kind, ...object })) ?? [...objects.values()].flat().filter((one) => one.object.kind !== kind)
    );
  };
  const known = new Map<string, readonly string[]>();
  const causesOf = (id: string, object: CheckObject): readonly string[] => {
    const key = `${id} ${keyOf(object)}`;
    const before = known.get(key);
    if (before) return before;
    // Two checks that name each other end here.
    known.set(key, []);
    const found = concerning(id, object).filter((one) => !isFine(one));
    const causes = found.some((one) => !isUnable(one))
      ? [id]
      : found.flatMap((one) => namedIn(one).flatMap((next) => causesOf(next, one.object)));
    known.set(key, [...new Set(causes)]);
    return known.get(key) ?? [];
  };
  return outcomes.map((outcome) => {
    if (!isUnable(outcome)) return outcome;
    const causes = [...new Set(namedIn(outcome).flatMap((id) => causesOf(id, outcome.object)))];
    return causes.length === 0 ? outcome : { ...outcome, remedy: `See ${inWords(causes)}.` };
  });
};
