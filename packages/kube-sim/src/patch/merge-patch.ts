import { isObject, type JsonObject } from '../json.ts';

/** RFC 7386: objects merge, null removes, everything else replaces. */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = { ...(isObject(target) ? target : {}) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result satisfies JsonObject;
};
