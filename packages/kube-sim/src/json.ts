/** A JSON object as it came from the wire. Never changed in place: edits make copies that share what did not change. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object, or an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The value as a list, or an empty one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Equality of JSON values; a key with the value undefined counts as absent. */
export const deepEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  let more = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    if (b[key] === undefined || !deepEqual(a[key], b[key])) return false;
    more += 1;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) more -= 1;
  return more === 0;
};

/** The value at a path of field names; undefined where the path ends early. */
export const getIn = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((current, field) => (isObject(current) ? current[field] : undefined), value);

/** A copy with the value at a path replaced; undefined removes the field. Missing objects on the way are created. */
export const setIn = (object: JsonObject, path: readonly string[], value: unknown): JsonObject => {
  const [field, ...rest] = path;
  if (field === undefined) return object;
  if (rest.length > 0) return { ...object, [field]: setIn(objectOf(object[field]), rest, value) };
  return value === undefined ? omit(object, field) : { ...object, [field]: value };
};

/** By hand: every write does it several times, and entries that are made and filtered cost more than all the rest. */
export const omit = (object: JsonObject, ...fields: readonly string[]): JsonObject => {
  if (!fields.some((field) => field in object)) return object;
  const kept: Record<string, unknown> = {};
  for (const field of Object.keys(object)) if (!fields.includes(field)) kept[field] = object[field];
  return kept;
};

/** RFC 3339 with whole seconds, as metav1.Time is written. */
export const timestamp = (nowMs: number): string => `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
