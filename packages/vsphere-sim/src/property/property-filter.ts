import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { InventoryReader } from './inventory-reader.ts';
import { createPathFinder, type PropertySpec, projectObject } from './project-object.ts';
import { type ObjectSpec, type Selected, selectObjects } from './select-objects.ts';

export interface FilterSpec {
  readonly propSet: readonly PropertySpec[];
  readonly objectSet: readonly ObjectSpec[];
}

/** The changes of one object since the last report to the client. A changed path without a value was unset. */
export interface ObjectChange {
  readonly kind: 'enter' | 'modify' | 'leave';
  readonly ref: MoRef;
  readonly changes: ReadonlyMap<string, unknown>;
  /** Paths the session may not read. */
  readonly denied: readonly string[];
}

/** Remembers what a client knows about the objects of a filter, and returns what it does not know yet. */
export interface PropertyFilter {
  readonly ref: MoRef;
  /**
   * Up to `limit` changes, which the client then knows. `missing`: objects of the filter that do not exist, each reported
   * once. `more`: there are further changes.
   */
  take(limit: number): {
    readonly changes: readonly ObjectChange[];
    readonly missing: readonly MoRef[];
    readonly more: boolean;
  };
  /** Resets what the client knows. */
  reset(): void;
}

export interface PropertyFilterOptions {
  readonly ref: MoRef;
  readonly spec: FilterSpec;
  readonly reader: InventoryReader;
  /** The names of all properties of an object type. */
  readonly allOf: (type: string) => readonly string[];
}

type Reported = ReadonlyMap<string, unknown>;

const nothingSelected: Selected = { objects: new Map(), missing: [], steering: new Map() };

export const createPropertyFilter = (options: PropertyFilterOptions): PropertyFilter => {
  const { reader, spec } = options;
  const pathsOf = createPathFinder(spec.propSet, options.allOf);
  const reported = new Map<string, { readonly ref: MoRef; readonly values: Reported }>();
  /** Objects to compare with what was reported. */
  const dirty = new Set<string>();
  const reportedMissing = new Set<string>();
  let selected = nothingSelected;
  let known: { readonly version: number; readonly access: number } | undefined;

  const isSteered = (key: string): boolean => {
    const paths = selected.steering.get(key);
    const ref = paths && refOf(key);
    if (!paths || !ref) return false;
    const now = reader.get(ref);
    if (!now) return true;
    const values = projectObject(now, [...paths.keys()]);
    return [...paths].some(([path, value]) => values.get(path) !== value);
  };

  const hasAppeared = (changed: ReadonlySet<string>): boolean =>
    selected.missing.some((ref) => changed.has(morefKey(ref)));

  const reselect = (changed: ReadonlySet<string> | undefined): void => {
    selected = selectObjects(reader, spec.objectSet);
    for (const key of selected.objects.keys()) if (!changed || changed.has(key) || !reported.has(key)) dirty.add(key);
    for (const key of reported.keys()) if (!selected.objects.has(key)) dirty.add(key);
  };

  const refresh = (): void => {
    const changed = known?.access === reader.accessVersion() ? reader.changedSince(known.version) : undefined;
    known = { version: reader.version(), access: reader.accessVersion() };
    if (!changed || hasAppeared(changed) || [...changed].some(isSteered)) reselect(changed);
    else for (const key of changed) if (selected.objects.has(key) || reported.has(key)) dirty.add(key);
  };

  const compare = (key: string): ObjectChange | undefined => {
    const ref = selected.objects.get(key);
    const object = ref && reader.get(ref);
    const before = reported.get(key);
    const paths = ref && pathsOf(ref.type);
    if (!object || !ref || !paths) {
      reported.delete(key);
      return before && { kind: 'leave', ref: before.ref, changes: new Map(), denied: [] };
    }
    const readable = reader.canRead(ref);
    const values: Reported = readable ? projectObject(object, paths) : new Map();
    reported.set(key, { ref, values });
    const denied = readable ? [] : paths;
    if (!before) return { kind: 'enter', ref, changes: values, denied };
    const changes = difference(before.values, values);
    return changes.size === 0 ? undefined : { kind: 'modify', ref, changes, denied };
  };

  const newlyMissing = (): readonly MoRef[] => {
    const missing = selected.missing.filter((ref) => !reportedMissing.has(morefKey(ref)));
    for (const ref of missing) reportedMissing.add(morefKey(ref));
    return missing;
  };

  return {
    ref: options.ref,
    take: (limit) => {
      refresh();
      const missing = newlyMissing();
      const changes: ObjectChange[] = [];
      for (const key of dirty) {
        if (changes.length >= limit) return { changes, missing, more: true };
        dirty.delete(key);
        const change = compare(key);
        if (change) changes.push(change);
      }
      return { changes, missing, more: false };
    },
    reset: () => {
      reported.clear();
      reportedMissing.clear();
      dirty.clear();
      known = undefined;
    },
  };
};

const refOf = (key: string): MoRef => {
  const colon = key.indexOf(':');
  return { type: key.slice(0, colon), value: key.slice(colon + 1) };
};

const difference = (before: Reported, after: Reported): Reported => {
  const changes = new Map<string, unknown>();
  for (const [path, value] of after) if (before.get(path) !== value) changes.set(path, value);
  for (const path of before.keys()) if (!after.has(path)) changes.set(path, undefined);
  return changes;
};
