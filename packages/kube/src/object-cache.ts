import { VdoError } from '@vdo/base/vdo-error';
import type { KubeObject } from './types/object.ts';

/** Names the values under which an object is found in an index. */
export type Indexers<T> = Readonly<Record<string, (object: T) => readonly string[]>>;

/** Objects by key, and by whatever else they are looked up with. */
export interface ObjectCache<T extends KubeObject> {
  get(key: string): T | undefined;
  list(): readonly T[];
  keys(): readonly string[];
  byIndex(index: string, value: string): readonly T[];
  set(key: string, object: T): void;
  delete(key: string): void;
}

export const createObjectCache = <T extends KubeObject>(indexers: Indexers<T> = {}): ObjectCache<T> => {
  const objects = new Map<string, T>();
  const indexes = new Map(Object.keys(indexers).map((name) => [name, new Map<string, Set<string>>()]));
  // Loops list far more often than objects change.
  let listed: readonly T[] | undefined;

  const eachEntry = (object: T, visit: (index: Map<string, Set<string>>, value: string) => void): void => {
    for (const [name, index] of indexes) for (const value of indexers[name]?.(object) ?? []) visit(index, value);
  };
  const unindex = (key: string): void => {
    const object = objects.get(key);
    if (!object) return;
    eachEntry(object, (index, value) => {
      const keys = index.get(value);
      keys?.delete(key);
      if (keys?.size === 0) index.delete(value);
    });
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
      return [...(index.get(value) ?? [])].flatMap((key) => objects.get(key) ?? []);
    },
    set: (key, object) => {
      unindex(key);
      objects.set(key, object);
      eachEntry(object, (index, value) => index.set(value, (index.get(value) ?? new Set()).add(key)));
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
    remedy: `Give an indexer of that name, or use one of: ${known.join(', ') || 'none'}.`,
  });
