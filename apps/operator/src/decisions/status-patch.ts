import { isDeepStrictEqual } from 'node:util';

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The JSON merge patch that turns one value into the other, or undefined if they are equal, whatever the order of
 * their keys. Removed keys are null; lists are replaced as a whole.
 */
export const mergePatch = (before: unknown, after: unknown): unknown => {
  if (isDeepStrictEqual(before, after)) return undefined;
  if (!isObject(before) || !isObject(after)) return after;
  const gone = Object.keys(before).filter((key) => after[key] === undefined);
  const changed = Object.keys(after).flatMap((key) => {
    if (after[key] === undefined) return [];
    const patch = mergePatch(before[key], after[key]);
    return patch === undefined ? [] : [[key, patch] as const];
  });
  const entries = [...gone.map((key) => [key, null] as const), ...changed];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};
