import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import { readPath } from '../state/property-path.ts';
import { isManagedType } from '../state/type-hierarchy.ts';
import type { InventoryReader } from './inventory-reader.ts';

/** A SelectionSpec (only a name, for recursion) or a TraversalSpec (all of it), as they arrive on the wire. */
export interface Selection {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly path?: string | undefined;
  readonly skip?: boolean | undefined;
  readonly selectSet?: readonly Selection[] | undefined;
}

export interface ObjectSpec {
  readonly obj: MoRef;
  readonly skip?: boolean | undefined;
  readonly selectSet?: readonly Selection[] | undefined;
}

export interface Selected {
  /** By key, in the order of discovery. */
  readonly objects: ReadonlyMap<string, MoRef>;
  /** Objects named in the specification that do not exist. */
  readonly missing: readonly MoRef[];
  /** Whose properties led here: key → path → value. When one of them changes the selection must be made again. */
  readonly steering: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
}

/**
 * Follows traversal specifications from the named objects to the objects of a filter. Objects that may not be read are
 * not reached by traversal; objects that are named directly always belong to the filter.
 */
export const selectObjects = (reader: InventoryReader, specs: readonly ObjectSpec[]): Selected => {
  const objects = new Map<string, MoRef>();
  const steering = new Map<string, Map<string, unknown>>();
  const existing = specs.filter((spec) => reader.get(spec.obj) !== undefined);

  const follow = (ref: MoRef, path: string): readonly MoRef[] => {
    const value = readPath(reader.get(ref)?.properties ?? {}, path);
    const key = morefKey(ref);
    const paths = steering.get(key) ?? new Map<string, unknown>();
    steering.set(key, paths.set(path, value));
    return refsIn(value).filter((child) => reader.get(child) !== undefined && reader.canRead(child));
  };

  for (const spec of existing) {
    if (!spec.skip) objects.set(morefKey(spec.obj), spec.obj);
    for (const child of traverse(spec, follow)) objects.set(morefKey(child), child);
  }
  return { objects, missing: specs.filter((spec) => !existing.includes(spec)).map((spec) => spec.obj), steering };
};

/** The objects reached from one named object. A work list instead of recursion: folders can be nested deeper than the stack. */
function* traverse(spec: ObjectSpec, follow: (ref: MoRef, path: string) => readonly MoRef[]): Generator<MoRef> {
  const named = namedSelections(spec.selectSet ?? []);
  const done = new Map<Selection, Set<string>>();
  const work = (spec.selectSet ?? []).map((selection) => ({ ref: spec.obj, selection }));
  for (let item = work.pop(); item; item = work.pop()) {
    const selection = resolve(item.selection, named);
    if (!selection?.path || !isFirst(done, selection, item.ref)) continue;
    if (!isManagedType(item.ref.type, selection.type ?? 'ManagedObject')) continue;
    for (const child of follow(item.ref, selection.path)) {
      if (!selection.skip) yield child;
      for (const next of selection.selectSet ?? []) work.push({ ref: child, selection: next });
    }
  }
}

const isFirst = (done: Map<Selection, Set<string>>, selection: Selection, ref: MoRef): boolean => {
  const seen = done.get(selection) ?? new Set<string>();
  done.set(selection, seen);
  const first = !seen.has(morefKey(ref));
  seen.add(morefKey(ref));
  return first;
};

const isRef = (value: unknown): value is MoRef =>
  typeof value === 'object' && value !== null && 'type' in value && 'value' in value;

const refsIn = (value: unknown): readonly MoRef[] => (Array.isArray(value) ? value : [value]).filter(isRef);

const resolve = (selection: Selection, named: ReadonlyMap<string, Selection>): Selection | undefined =>
  selection.path === undefined ? named.get(selection.name ?? '') : selection;

const namedSelections = (selections: readonly Selection[]): ReadonlyMap<string, Selection> => {
  const named = new Map<string, Selection>();
  const visit = (selection: Selection): void => {
    if (selection.path === undefined) return;
    if (selection.name) named.set(selection.name, selection);
    selection.selectSet?.forEach(visit);
  };
  selections.forEach(visit);
  return named;
};
