/** A copy without undefined values, empty lists and empty objects, so that files contain only what is set. */
export const prune = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(prune);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .map(([key, item]) => [key, prune(item)] as const)
    .filter(([, item]) => item !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** The value, or undefined if it is the default. */
export const unlessDefault = <T>(value: T, defaultValue: T): T | undefined =>
  JSON.stringify(value) === JSON.stringify(defaultValue) ? undefined : value;
