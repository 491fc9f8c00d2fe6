import { VdoError } from '@vdo/base/vdo-error';
import type { KubeObject } from './types/object.ts';

/** Returns the values under which an object is found in an index. */
export type Indexers<T> = Readonly<Record<string, (object: T) => readonly string[]>>;

/** Objects by key, and by the values of the indexes. */
export interface ObjectCache<T extends KubeObject> {
  get(key: string): T | undefined;
  list(): readonly T[];
  keys(): readonly string[];
  byIndex(index: string, value: string): readonly T[];
  set(key: string, object: T): void;
  delete(key: string): void;
}

/** Keys by a value of the objects. Most values, such as IDs and handles, have one key, and a Set for it would be larger than the key. */
type Index = Map<string, string | Set<string>>;

const addKey = (index: Index, value: string, key: string): void => {
  const keys = index.get(value);
  if (keys === undefined) index.set(value, key);
  else if (typeof keys !== 'string') keys.add(key);
  else if (keys !== key) index.set(value, new Set([keys, key]));
};

const removeKey = (index: Index, value: string, key: string): void => {
  const keys = index.get(value);
  if (typeof keys === 'object') keys.delete(key);
  if (keys === key || (typeof keys === 'object' && keys.size === 0)) index.delete(value);
};

const keysAt = (index: Index, value: string): readonly string[] => {
  const keys = index.get(value);
  return typeof keys === 'string' ? [keys] : [...(keys ?? [])];
};

export const createObjectCache = <T extends KubeObject>(indexers: Indexers<T> = {}): ObjectCache<T> => {
  const objects = new Map<string, T>();
  const indexes = new Map(Object.keys(indexers).map((name) => [name, new Map() as Index]));
  // Loops list far more often than objects change.
  let listed: readonly T[] | undefined;

  const eachEntry = (object: T, visit: (index: Index, value: string) => void): void => {
    for (const [name, index] of indexes) for (const value of indexers[name]?.(object) ?? []) visit(index, value);
  };
  const unindex = (key: string): void => {
    const object = objects.get(key);
    if (object) eachEntry(object, (index, value) => removeKey(index, value, key));
  };

  return {
    get: (key) => objects.get(key),
    keys: () => [...objects.keys()],
    list: () => {
      listed ??= [...objects.values()];
      return listed;
    },
    byIndex: (name, value) => {
      const index = indexes.get(name);
      if (!index) throw unknownIndex(name, [...indexes.keys()]);
      return keysAt(index, value).flatMap((key) => objects.get(key) ?? []);
    },
    set: (key, object) => {
      unindex(key);
      objects.set(key, object);
      eachEntry(object, (index, value) => addKey(index, value, key));
      listed = undefined;
    },
    delete: (key) => {
      unindex(key);
      objects.delete(key);
      listed = undefined;
    },
  };
};

const unknownIndex = (name: string, known: readonly string[]): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `the cache has no index "${name}"`,
    remedy: `Provide an indexer with that name, or use one of: ${known.join(', ') || 'none'}.`,
  });
