import { deepEqual, isObject, type JsonObject } from '../json.ts';
import { emptyFieldSet, type FieldSet, fieldSet, isEmptySet, memberFieldSet, union } from './field-set.ts';
import { itemElement, type ListMerge, type MergeType } from './merge-type.ts';

type KeyedList = Exclude<ListMerge, 'atomic'>;

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
const isGranularMap = (value: unknown, type: MergeType): value is JsonObject =>
  isObject(value) && type.map === 'granular';
const isKeyedList = (value: unknown, type: MergeType): value is readonly unknown[] =>
  Array.isArray(value) && type.list !== 'atomic';
const keyedList = (type: MergeType): KeyedList => (type.list === 'atomic' ? 'set' : type.list);

/** The items of a keyed list by path element; items that cannot be matched are left out, the first of equals wins. */
const itemsByElement = (list: readonly unknown[], type: MergeType): Map<string, unknown> => {
  const items = new Map<string, unknown>();
  for (const item of list) {
    const element = itemElement(item, keyedList(type));
    if (element !== undefined && !items.has(element)) items.set(element, item);
  }
  return items;
};

/** The paths that a configuration sets: leaves, list items, and keys of free maps. */
export const fieldSetOf = (value: unknown, type: MergeType): FieldSet => {
  if (isKeyedList(value, type)) {
    const items = [...itemsByElement(value, type)];
    return fieldSet(
      false,
      items.map(([element, item]) => [element, { ...fieldSetOf(item, type.item()), member: true }] as const),
    );
  }
  if (!isGranularMap(value, type)) return memberFieldSet;
  const children = Object.entries(value).map(([name, child]) => {
    const field = type.field(name);
    const set = fieldSetOf(child, field.type);
    const owned = child === null || isEmptyObject(child) || !field.named;
    return [`f:${name}`, owned ? { ...set, member: true } : set] as const;
  });
  return fieldSet(false, children);
};

const mergeLists = (live: readonly unknown[], config: readonly unknown[], type: MergeType): readonly unknown[] => {
  const liveItems = itemsByElement(live, type);
  const configItems = itemsByElement(config, type);
  const liveOrder = [...liveItems.keys()];
  const configOrder = [...configItems.keys()];
  const merged: unknown[] = [];
  let nextLive = 0;
  // Items that only the live list has keep their place before the next item that both have.
  const takeLiveUpTo = (end: number) => {
    for (; nextLive < end; nextLive++) {
      const element = liveOrder[nextLive] ?? '';
      if (!configItems.has(element)) merged.push(liveItems.get(element));
    }
  };
  configOrder.forEach((element, index) => {
    const shared = configOrder.slice(index).find((candidate) => liveItems.has(candidate));
    takeLiveUpTo(shared === undefined ? liveOrder.length : liveOrder.indexOf(shared));
    merged.push(mergeValues(liveItems.get(element), configItems.get(element), type.item()));
  });
  takeLiveUpTo(liveOrder.length);
  return merged;
};

/** Lays a configuration over a live value. Undefined means absent. */
export const mergeValues = (live: unknown, config: unknown, type: MergeType): unknown => {
  if (config === undefined) return live;
  if (isKeyedList(live, type) && isKeyedList(config, type)) return mergeLists(live, config, type);
  if (!isGranularMap(live, type) || !isGranularMap(config, type)) return config;
  const names = Object.keys(config);
  return {
    ...live,
    ...Object.fromEntries(names.map((name) => [name, mergeValues(live[name], config[name], type.field(name).type)])),
  };
};

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const unchanged: Comparison = { added: emptyFieldSet, modified: emptyFieldSet, removed: emptyFieldSet };

export const isUnchanged = ({ added, modified, removed }: Comparison): boolean =>
  [added, modified, removed].every(isEmptySet);

const isLeafPair = (before: unknown, after: unknown, type: MergeType): boolean => {
  if (typeof before !== 'object' && typeof after !== 'object') return true;
  const values = [before, after].filter((value) => value !== undefined && value !== null);
  const content = values.filter((value) => !isEmptyObject(value) && !(Array.isArray(value) && value.length === 0));
  return (
    content.length === 0 ||
    !(values.every((value) => isKeyedList(value, type)) || values.every((value) => isGranularMap(value, type)))
  );
};

const compareLeaves = (before: unknown, after: unknown): Comparison => {
  if (before === undefined) return { ...unchanged, added: memberFieldSet };
  if (after === undefined) return { ...unchanged, removed: memberFieldSet };
  return deepEqual(before, after) ? unchanged : { ...unchanged, modified: memberFieldSet };
};

/** What changed between two values, by path. Undefined means absent. */
export const compareValues = (before: unknown, after: unknown, type: MergeType): Comparison => {
  if (before === after) return unchanged;
  if (isLeafPair(before, after, type)) return compareLeaves(before, after);
  const children: (readonly [string, Comparison])[] = [];
  for (const [element, childBefore, childAfter, childType] of childPairs(before, after, type)) {
    const compared = compareValues(childBefore, childAfter, childType);
    if (compared !== unchanged) children.push([element, compared]);
  }
  if (children.length === 0 && before !== undefined && after !== undefined) return unchanged;
  return {
    added: fieldSet(
      before === undefined,
      children.map(([element, { added }]) => [element, added] as const),
    ),
    modified: fieldSet(
      false,
      children.map(([element, { modified }]) => [element, modified] as const),
    ),
    removed: fieldSet(
      after === undefined,
      children.map(([element, { removed }]) => [element, removed] as const),
    ),
  };
};

type ChildPair = readonly [element: string, before: unknown, after: unknown, type: MergeType];

const childPairs = (before: unknown, after: unknown, type: MergeType): readonly ChildPair[] => {
  if (Array.isArray(before) || Array.isArray(after)) {
    const old = itemsByElement(Array.isArray(before) ? before : [], type);
    const now = itemsByElement(Array.isArray(after) ? after : [], type);
    return [...new Set([...old.keys(), ...now.keys()])].map((key) => [key, old.get(key), now.get(key), type.item()]);
  }
  const old = isObject(before) ? before : {};
  const now = isObject(after) ? after : {};
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.map((name) => [`f:${name}`, old[name], now[name], type.field(name).type]);
};

const owns = (set: FieldSet | undefined, named: boolean): boolean =>
  set?.member || (named && (set?.children.size ?? 0) > 0);

/** Removes what `last` owned and `keep` does not: fields that a manager no longer applies and nobody else owns. */
export const removeDropped = (value: unknown, sets: { last: FieldSet; keep: FieldSet }, type: MergeType): unknown => {
  if (isEmptySet(sets.last)) return value;
  const visit = (element: string, child: unknown, childType: MergeType, named: boolean): unknown => {
    const last = sets.last.children.get(element);
    const keep = sets.keep.children.get(element);
    if (last === undefined) return child;
    if (owns(last, named) && !owns(keep, named)) return undefined;
    return removeDropped(child, { last, keep: keep ?? emptyFieldSet }, childType);
  };
  if (isKeyedList(value, type)) {
    const items = value.map((item) => visit(itemElement(item, keyedList(type)) ?? '', item, type.item(), false));
    return nullIfEmptied(
      items.filter((item) => item !== undefined),
      items.length,
    );
  }
  if (!isGranularMap(value, type)) return value;
  const entries = Object.entries(value).map(([name, child]) => {
    const field = type.field(name);
    return [name, visit(`f:${name}`, child, field.type, field.named)] as const;
  });
  return nullIfEmptied(Object.fromEntries(entries.filter(([, child]) => child !== undefined)), entries.length);
};

// What is emptied this way is null on a real server: Go drops it from built-in kinds, a custom resource may not take it.
const nullIfEmptied = <T extends object>(value: T, sizeBefore: number): T | null =>
  sizeBefore > 0 && Object.keys(value).length === 0 ? null : value;

/** All sets together. */
export const unionOf = (sets: readonly FieldSet[]): FieldSet => sets.reduce(union, emptyFieldSet);
