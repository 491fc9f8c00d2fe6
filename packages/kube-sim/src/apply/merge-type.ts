import { isObject, type JsonObject } from '../json.ts';

/** How lists of a field are merged: replaced as a whole, item by item of a set, or item by item matched by keys. */
export type ListMerge = 'atomic' | 'set' | { readonly keys: readonly string[]; readonly defaults: JsonObject };

/** The properties of a field's type that server-side apply and strategic patches need. */
export interface MergeType {
  readonly list: ListMerge;
  readonly map: 'granular' | 'atomic';
  /** `named`: a field of a struct, owned through its content, as opposed to a key of a free map. */
  field(name: string): { readonly type: MergeType; readonly named: boolean };
  /** The type of a list's items. */
  item(): MergeType;
}

/** Without a schema: objects are merged by key, lists are replaced. */
export const deducedType: MergeType = {
  list: 'atomic',
  map: 'granular',
  field: () => ({ type: deducedType, named: false }),
  item: () => deducedType,
};

/** A value that is owned as a whole. */
export const atomicType: MergeType = { ...deducedType, map: 'atomic', item: () => atomicType };

/** The serialized path element of a list's item; undefined if it lacks a key field and so cannot be matched. */
export const itemElement = (item: unknown, list: Exclude<ListMerge, 'atomic'>): string | undefined => {
  if (list === 'set') return `v:${JSON.stringify(item)}`;
  if (!isObject(item)) return undefined;
  const keys = [...list.keys].sort().map((key) => [key, item[key] ?? list.defaults[key]] as const);
  const present = keys.filter(([, value]) => value !== undefined && value !== null);
  return present.length === 0 ? undefined : `k:${JSON.stringify(Object.fromEntries(present))}`;
};
