import type { Condition } from './types/object.ts';

/** A condition as a decision returns it: without the time of its last change. */
export type ConditionUpdate = Omit<Condition, 'lastTransitionTime'>;

/**
 * The conditions with one of them set, at its old position or at the end. `lastTransitionTime` changes only if the status
 * changes. Returns the same array if nothing changes, so that the status need not be written.
 */
export const setCondition = (
  conditions: readonly Condition[],
  update: ConditionUpdate,
  nowMs: number,
): readonly Condition[] => {
  const previous = findCondition(conditions, update.type);
  if (previous && isSame(previous, update)) return conditions;
  const lastTransitionTime = previous?.status === update.status ? previous.lastTransitionTime : timestamp(nowMs);
  const next = { ...update, lastTransitionTime };
  return previous ? conditions.map((each) => (each === previous ? next : each)) : [...conditions, next];
};

export const findCondition = (conditions: readonly Condition[], type: string): Condition | undefined =>
  conditions.find((condition) => condition.type === type);

/** metav1.Time: RFC 3339 in whole seconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

const isSame = (a: ConditionUpdate, b: ConditionUpdate): boolean =>
  a.status === b.status &&
  a.reason === b.reason &&
  a.message === b.message &&
  a.observedGeneration === b.observedGeneration;
