import type { AnyObject } from '@vdo/kube/types/object';

export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly bucket: string;
  /** The object after the change; of a deletion its last state, with the deletion's resourceVersion. */
  readonly object: AnyObject;
  readonly previous?: AnyObject;
}

export interface StoreSnapshot {
  readonly revision: number;
  readonly buckets: Readonly<Record<string, readonly AnyObject[]>>;
}

/**
 * Objects by bucket (one per resource) and key, with one revision counter for all, and the recent past kept for
 * watches and for pages of a list: the equivalent of etcd for this API server. Objects are never changed in place.
 */
export interface Store {
  /** The revision of the last write. */
  revision(): number;
  /**
   * The revision that a watch of a bucket knows: the last change of that bucket, or the last list of it. Changes of other buckets do
   * not count: etcd reports them to a watch only every ten minutes, or when a list requests it.
   */
  progress(bucket: string): number;
  /** A list returns the present state of the store. */
  noteList(bucket: string): void;
  /** Revisions up to this one are forgotten. */
  compactedRevision(): number;
  get(bucket: string, key: string): AnyObject | undefined;
  /** Sorted by key. */
  list(bucket: string): readonly AnyObject[];
  /** The list as it was at a revision; undefined if that is compacted. */
  listAt(bucket: string, revision: number): readonly AnyObject[] | undefined;
  /** Writes and returns the object with its new resourceVersion. */
  put(bucket: string, key: string, object: AnyObject): AnyObject;
  /** Removes and returns the last state with the deletion's resourceVersion. `last` replaces what is stored first. */
  remove(bucket: string, key: string, last?: AnyObject): AnyObject | undefined;
  /** Changes of a bucket after a revision, oldest first; undefined if that is compacted. */
  since(bucket: string, revision: number): readonly StoreEvent[] | undefined;
  /** Called after each write, in order. */
  onChange(listener: (event: StoreEvent) => void): () => void;
  /** Compacts the history up to a revision; all of it by default. */
  compact(revision?: number): void;
  snapshot(): StoreSnapshot;
}

export interface StoreOptions {
  /** Number of changes that are kept before the oldest are compacted; 20000 by default. */
  readonly historyLimit?: number;
  readonly initial?: StoreSnapshot;
}

interface Bucket {
  readonly objects: Map<string, AnyObject>;
  sortedKeys: readonly string[] | undefined;
  events: StoreEvent[];
  progress: number;
}

/** `namespace/name`; cluster-scoped objects have an empty namespace. */
export const storeKey = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`;

const keyOfObject = ({ metadata }: AnyObject): string => storeKey(metadata.namespace, metadata.name ?? '');

const stamped = (object: AnyObject, revision: number): AnyObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(revision) },
});

const sortedKeysOf = (bucket: Bucket): readonly string[] => {
  bucket.sortedKeys ??= [...bucket.objects.keys()].sort();
  return bucket.sortedKeys;
};

// Events are in order of revision: the first one after `revision` is found by halving.
const firstAfter = (events: readonly StoreEvent[], revision: number): number => {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.revision ?? 0) > revision) high = middle;
    else low = middle + 1;
  }
  return low;
};

export const createStore = (options: StoreOptions = {}): Store => {
  const { historyLimit = 20_000, initial } = options;
  const buckets = new Map<string, Bucket>();
  const listeners = new Set<(event: StoreEvent) => void>();
  const firstRevision = initial?.revision ?? 1;
  let revision = firstRevision;
  let compacted = revision;

  const bucketOf = (name: string): Bucket => {
    const existing = buckets.get(name);
    if (existing) return existing;
    const created: Bucket = { objects: new Map(), sortedKeys: undefined, events: [], progress: firstRevision };
    buckets.set(name, created);
    return created;
  };
  for (const [name, objects] of Object.entries(initial?.buckets ?? {}))
    for (const object of objects) bucketOf(name).objects.set(keyOfObject(object), object);

  const compact = (upTo: number): void => {
    compacted = Math.max(compacted, Math.min(upTo, revision));
    for (const bucket of buckets.values()) bucket.events = bucket.events.slice(firstAfter(bucket.events, compacted));
  };
  const record = (event: StoreEvent): void => {
    const bucket = bucketOf(event.bucket);
    bucket.events.push(event);
    bucket.progress = event.revision;
    if (revision - compacted > historyLimit) compact(revision - Math.floor(historyLimit / 2));
    for (const listener of [...listeners]) listener(event);
  };
  const list = (name: string): readonly AnyObject[] => {
    const bucket = bucketOf(name);
    return sortedKeysOf(bucket).flatMap((key) => bucket.objects.get(key) ?? []);
  };
  const since = (name: string, from: number): readonly StoreEvent[] | undefined => {
    if (from < compacted) return undefined;
    const { events } = bucketOf(name);
    return events.slice(firstAfter(events, from));
  };

  return {
    revision: () => revision,
    progress: (name) => bucketOf(name).progress,
    noteList: (name) => {
      bucketOf(name).progress = revision;
    },
    compactedRevision: () => compacted,
    get: (name, key) => buckets.get(name)?.objects.get(key),
    list,
    since,
    listAt: (name, at) => {
      const later = since(name, at);
      if (!later) return undefined;
      if (later.length === 0) return list(name);
      const past = new Map(bucketOf(name).objects);
      for (const event of [...later].reverse()) {
        if (event.previous) past.set(keyOfObject(event.previous), event.previous);
        else past.delete(keyOfObject(event.object));
      }
      return [...past.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    },
    put: (name, key, object) => {
      const bucket = bucketOf(name);
      const previous = bucket.objects.get(key);
      revision += 1;
      const stored = stamped(object, revision);
      bucket.objects.set(key, stored);
      if (!previous) bucket.sortedKeys = undefined;
      record({
        type: previous ? 'MODIFIED' : 'ADDED',
        revision,
        bucket: name,
        object: stored,
        ...(previous && { previous }),
      });
      return stored;
    },
    remove: (name, key, last) => {
      const bucket = bucketOf(name);
      const previous = bucket.objects.get(key);
      if (!previous) return undefined;
      revision += 1;
      const object = stamped(last ?? previous, revision);
      bucket.objects.delete(key);
      bucket.sortedKeys = undefined;
      record({ type: 'DELETED', revision, bucket: name, object, previous });
      return object;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    compact: (upTo = revision) => compact(upTo),
    snapshot: () => ({
      revision,
      buckets: Object.fromEntries([...buckets.keys()].sort().map((name) => [name, list(name)])),
    }),
  };
};
