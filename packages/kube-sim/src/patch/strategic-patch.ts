import { itemElement, type ListMerge, type MergeType } from '../apply/merge-type.ts';
import { deepEqual, isObject, type JsonObject, listOf, omit } from '../json.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

const isDirective = (name: string): boolean =>
  name === directive || name === retainKeys || name.startsWith(orderPrefix) || name.startsWith(deletePrefix);

/** A strategic patch matches list items by the first key alone, e.g. ports by their number whatever the protocol. */
const patchKey = (list: ListMerge): ListMerge =>
  typeof list === 'object' ? { keys: list.keys.slice(0, 1), defaults: {} } : list;

const mergeItems = (live: readonly unknown[], patch: readonly unknown[], type: MergeType): readonly unknown[] => {
  const key = patchKey(type.list);
  if (key === 'atomic') return patch;
  if (key === 'set') return [...live, ...patch.filter((item) => !live.some((existing) => deepEqual(existing, item)))];
  const same = (a: unknown, b: unknown) =>
    itemElement(a, key) !== undefined && itemElement(a, key) === itemElement(b, key);
  return patch.reduce<readonly unknown[]>((items, item) => {
    const isDeletion = isObject(item) && item[directive] === 'delete';
    if (isDeletion) return items.filter((existing) => !same(existing, item));
    const at = items.findIndex((existing) => same(existing, item));
    if (at < 0) return items.concat([stripDirectives(item)]);
    return items.toSpliced(at, 1, patchValue(items[at], item, type.item()));
  }, live);
};

const ordered = (items: readonly unknown[], order: readonly unknown[], type: MergeType): readonly unknown[] => {
  const key = patchKey(type.list);
  if (key === 'atomic') return items;
  const ranks = new Map(order.map((item, index) => [itemElement(item, key), index]));
  const rank = (item: unknown, index: number) => ranks.get(itemElement(item, key)) ?? index;
  return items
    .map((item, index) => ({ item, rank: rank(item, index), index }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ item }) => item);
};

const stripDirectives = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(stripDirectives);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, child]) => !isDirective(name) && child !== null);
  return Object.fromEntries(kept.map(([name, child]) => [name, stripDirectives(child)]));
};

const patchList = (live: unknown, patch: readonly unknown[], type: MergeType): unknown => {
  const items = patch.filter((item) => !(isObject(item) && item[directive] === 'replace'));
  const isReplacement = items.length < patch.length;
  if (isReplacement) return stripDirectives(items);
  return type.list === 'atomic' ? patch : mergeItems(listOf(live), items, type);
};

const patchField = (live: unknown, patch: unknown, type: MergeType): unknown =>
  Array.isArray(patch) ? patchList(live, patch, type) : patchValue(live, patch, type);

const patchObject = (live: JsonObject, patch: JsonObject, type: MergeType): JsonObject => {
  const kept = patch[retainKeys];
  const result: Record<string, unknown> = Array.isArray(kept)
    ? Object.fromEntries(Object.entries(live).filter(([name]) => kept.includes(name)))
    : { ...live };
  for (const [name, value] of Object.entries(omit(patch, directive, retainKeys))) {
    if (name.startsWith(orderPrefix)) continue;
    if (name.startsWith(deletePrefix)) {
      const field = name.slice(deletePrefix.length);
      result[field] = listOf(result[field]).filter((item) => !listOf(value).some((gone) => deepEqual(item, gone)));
    } else if (value === null) delete result[name];
    else result[name] = patchField(result[name], value, type.field(name).type);
  }
  for (const [name, order] of Object.entries(patch)) {
    if (!name.startsWith(orderPrefix)) continue;
    const field = name.slice(orderPrefix.length);
    if (Array.isArray(result[field]))
      result[field] = ordered(listOf(result[field]), listOf(order), type.field(field).type);
  }
  return result;
};

const patchValue = (live: unknown, patch: unknown, type: MergeType): unknown => {
  if (!isObject(patch)) return patch;
  if (patch[directive] === 'replace' || !isObject(live)) return stripDirectives(patch);
  if (patch[directive] === 'delete') return {};
  return patchObject(live, patch, type);
};

/** Kubernetes' strategic merge patch, with the directives that kubectl writes. */
export const strategicPatch = (live: unknown, patch: unknown, type: MergeType): unknown =>
  patchValue(live, patch, type);
