import { itemElement, type ListMerge, type MergeType } from '../apply/merge-type.ts';
import { deepEqual, isObject, type JsonObject, listOf } from '../json.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

const isDirective = (name: string): boolean =>
  name === directive || name === retainKeys || name.startsWith(orderPrefix) || name.startsWith(deletePrefix);

interface PatchKey {
  readonly list: Exclude<ListMerge, 'atomic'>;
  readonly itemType: MergeType;
}

/** A strategic patch matches list items by the first key alone, e.g. ports by their number whatever the protocol. */
const patchKey = (type: MergeType): PatchKey | undefined => {
  const { list } = type;
  if (list === 'atomic') return undefined;
  return { list: list === 'set' ? list : { keys: list.keys.slice(0, 1), defaults: {} }, itemType: type.item() };
};

const idOf = (item: unknown, { list }: PatchKey): string | undefined => itemElement(item, list);

const mergeItems = (live: readonly unknown[], patch: readonly unknown[], key: PatchKey): readonly unknown[] => {
  const isSame = (a: unknown, b: unknown) => idOf(a, key) !== undefined && idOf(a, key) === idOf(b, key);
  return patch.reduce<readonly unknown[]>((items, item) => {
    if (isObject(item) && item[directive] === 'delete') return items.filter((existing) => !isSame(existing, item));
    const at = items.findIndex((existing) => isSame(existing, item));
    if (at < 0) return items.concat([stripDirectives(item)]);
    return key.list === 'set' ? items : items.toSpliced(at, 1, patchValue(items[at], item, key.itemType));
  }, live);
};

/** Items of the patch in its order; the others keep their place before the next item that was behind them. */
const ordered = (
  items: readonly unknown[],
  order: readonly unknown[],
  before: readonly unknown[],
  key: PatchKey,
): readonly unknown[] => {
  const rank = (list: readonly unknown[]) => new Map(list.map((item, index) => [idOf(item, key), index]));
  const [wanted, was] = [rank(order), rank(before)];
  const listed = items.filter((item) => wanted.has(idOf(item, key)));
  const rest = items.filter((item) => !wanted.has(idOf(item, key)));
  const queue = listed.sort((a, b) => (wanted.get(idOf(a, key)) ?? 0) - (wanted.get(idOf(b, key)) ?? 0));
  const isEarlier = (a: unknown, b: unknown) => (was.get(idOf(a, key)) ?? Infinity) < (was.get(idOf(b, key)) ?? -1);
  const result: unknown[] = [];
  for (const item of queue) {
    while (rest.length > 0 && isEarlier(rest[0], item)) result.push(rest.shift());
    result.push(item);
  }
  return [...result, ...rest];
};

const stripDirectives = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(stripDirectives);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, child]) => !isDirective(name) && child !== null);
  return Object.fromEntries(kept.map(([name, child]) => [name, stripDirectives(child)]));
};

const patchList = (live: unknown, patch: readonly unknown[], type: MergeType, order: unknown): unknown => {
  const items = patch.filter((item) => !(isObject(item) && item[directive] === 'replace'));
  const isReplacement = items.length < patch.length;
  const key = patchKey(type);
  if (isReplacement || !key) return stripDirectives(items);
  const before = listOf(live);
  return ordered(mergeItems(before, items, key), Array.isArray(order) ? order : items, before, key);
};

const patchObject = (live: JsonObject, patch: JsonObject, type: MergeType): JsonObject => {
  const kept = patch[retainKeys];
  const result: Record<string, unknown> = Array.isArray(kept)
    ? Object.fromEntries(Object.entries(live).filter(([name]) => kept.includes(name)))
    : { ...live };
  for (const [name, value] of Object.entries(patch)) {
    if (!name.startsWith(deletePrefix)) continue;
    const field = name.slice(deletePrefix.length);
    result[field] = listOf(result[field]).filter((item) => !listOf(value).some((gone) => deepEqual(item, gone)));
  }
  // An order without items of its own still sorts what is there.
  const orders = Object.keys(patch)
    .filter((name) => name.startsWith(orderPrefix))
    .map((name) => name.slice(orderPrefix.length));
  const fields = new Set([...Object.keys(patch).filter((name) => !isDirective(name)), ...orders]);
  for (const name of fields) {
    const value = patch[name] === undefined ? [] : patch[name];
    const fieldType = type.field(name).type;
    if (value === null) delete result[name];
    else if (Array.isArray(value))
      result[name] = patchList(result[name], value, fieldType, patch[`${orderPrefix}${name}`]);
    else result[name] = patchValue(result[name], value, fieldType);
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
