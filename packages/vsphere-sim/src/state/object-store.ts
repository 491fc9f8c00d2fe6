import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import { type Properties, writePath } from './property-path.ts';

export interface ManagedObject {
  readonly ref: MoRef;
  readonly properties: Properties;
}

/**
 * All managed objects of the vCenter. Every change gets a version number; watchers ask which objects
 * changed after the version that they know, so the cost of a wait depends on changes, not on the number of objects.
 */
export interface ObjectStore {
  /** The number of the latest change. */
  version(): number;
  get(ref: MoRef): ManagedObject | undefined;
  /** Objects in the order of their creation. */
  all(): Iterable<ManagedObject>;
  put(ref: MoRef, properties: Properties): void;
  /** Writes several paths as one change. Unknown objects are ignored: a late task may outlive its VM. */
  update(ref: MoRef, paths: Readonly<Record<string, unknown>>): void;
  remove(ref: MoRef): void;
  /** Keys (`morefKey`) of objects that changed after a version; undefined if that is too long ago to know. */
  changedSince(version: number): ReadonlySet<string> | undefined;
  /** Called after each change; returns a function that removes the listener. */
  subscribe(listener: (ref: MoRef) => void): () => void;
}

export interface ObjectStoreOptions {
  /** The number of changes that are kept. Default 100,000. */
  readonly history?: number;
  /** Completes an object's tree after a write: updates properties that repeat others (a VM's `summary`). */
  readonly complete?: (ref: MoRef, properties: Properties) => Properties;
}

export const createObjectStore = (options: ObjectStoreOptions = {}): ObjectStore => {
  const { history = 100_000, complete = (_ref, properties) => properties } = options;
  const objects = new Map<string, ManagedObject>();
  const listeners = new Set<(ref: MoRef) => void>();
  let log: string[] = [];
  let forgotten = 0;

  const record = (ref: MoRef): void => {
    log.push(morefKey(ref));
    if (log.length > history * 2) {
      forgotten += log.length - history;
      log = log.slice(-history);
    }
    for (const listener of [...listeners]) listener(ref);
  };

  const put = (ref: MoRef, properties: Properties): void => {
    objects.set(morefKey(ref), { ref, properties: complete(ref, properties) });
    record(ref);
  };

  return {
    version: () => forgotten + log.length,
    get: (ref) => objects.get(morefKey(ref)),
    all: () => objects.values(),
    put,
    update: (ref, paths) => {
      const known = objects.get(morefKey(ref));
      if (!known) return;
      const written = Object.entries(paths).reduce<Properties>(
        (tree, [path, value]) => writePath(tree, path, value),
        known.properties,
      );
      if (written !== known.properties) put(ref, written);
    },
    remove: (ref) => {
      if (objects.delete(morefKey(ref))) record(ref);
    },
    changedSince: (version) => (version < forgotten ? undefined : new Set(log.slice(version - forgotten))),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};
