import type { ManagedObject } from '../state/object-store.ts';
import { readPath } from '../state/property-path.ts';
import { isManagedType } from '../state/type-hierarchy.ts';

export interface PropertySpec {
  readonly type: string;
  readonly all?: boolean | undefined;
  readonly pathSet?: readonly string[] | undefined;
}

/** Finds the property paths that a filter requests of an object type; undefined if it requests none of that type. */
export const createPathFinder = (
  specs: readonly PropertySpec[],
  allOf: (type: string) => readonly string[],
): ((type: string) => readonly string[] | undefined) => {
  const known = new Map<string, readonly string[] | undefined>();
  const find = (type: string): readonly string[] | undefined => {
    const matching = specs.filter((spec) => isManagedType(type, spec.type));
    if (matching.length === 0) return undefined;
    return [...new Set(matching.flatMap((spec) => (spec.all ? allOf(type) : (spec.pathSet ?? []))))];
  };
  return (type) => {
    if (!known.has(type)) known.set(type, find(type));
    return known.get(type);
  };
};

/** The set values of an object at the given paths, in their order. */
export const projectObject = (object: ManagedObject, paths: readonly string[]): ReadonlyMap<string, unknown> => {
  const values = new Map<string, unknown>();
  for (const path of paths) {
    const value = readPath(object.properties, path);
    if (value !== undefined) values.set(path, value);
  }
  return values;
};
