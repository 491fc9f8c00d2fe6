import { setImmediate as nextTurn } from 'node:timers/promises';
import { onAbort } from '@vdo/base/async/on-abort';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import type { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from './client.ts';
import type { Change, Informer } from './informer.ts';
import { createObjectCache, type Indexers } from './object-cache.ts';
import { createReflector, type Mirror } from './reflector.ts';
import type { SharedBackoff } from './shared-backoff.ts';
import type { KubeObject } from './types/object.ts';
import { keyOf, type Resource } from './types/resource.ts';
import { createVersionGate } from './version-gate.ts';

export interface InformerOptions<T extends KubeObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  /** Default: all. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /**
   * Removes unused fields before an object is stored; name, namespace, uid and resourceVersion must stay.
   * metadata.managedFields is always dropped.
   */
  readonly transform?: (object: T) => T;
  readonly indexers?: Indexers<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Shared by the informers of one server, so that only one of them asks whether it is back. */
  readonly backoff?: SharedBackoff;
  /** Called for each failed list or watch, for status reports; it is retried in any case. */
  readonly onError?: (error: VdoError) => void;
}

/** An informer that also reports why it is behind. */
export interface ObservableInformer<T extends KubeObject> extends Informer<T> {
  /** The failure after which the informer waits to retry; undefined while the cache is up to date. */
  lastError(): VdoError | undefined;
}

/** Number of objects processed before the event loop can serve others. */
const objectsPerTurn = 2_000;

export const createInformer = <T extends KubeObject>(options: InformerOptions<T>): ObservableInformer<T> => {
  const { transform = (object: T) => object } = options;
  const logger = options.logger.child({ informer: options.resource.plural });
  const cache = createObjectCache(options.indexers);
  const gate = createVersionGate();
  const listeners = new Set<(change: Change<T>) => void>();
  const waiters = new Set<() => void>();
  let hasSynced = false;
  let lastError: VdoError | undefined;

  // An error of a listener must not stop the cache.
  const notify = <E>(listener: (reported: E) => void, reported: E): void => {
    try {
      listener(reported);
    } catch (error) {
      logger.error('a listener failed', { error });
    }
  };
  const emit = (change: Change<T>): void => {
    // A listener that is added meanwhile is called from the cache, which already has the change.
    for (const listener of [...listeners]) notify(listener, change);
  };

  const remove = (key: string, last?: T): void => {
    const previous = cache.get(key);
    if (!previous) return;
    cache.delete(key);
    emit({ type: 'deleted', object: last ?? previous, previous });
  };

  const upsert = (object: T): void => {
    const key = keyOf(object);
    const previous = cache.get(key);
    if (previous && previous.metadata.uid !== object.metadata.uid) {
      remove(key);
      upsert(object);
      return;
    }
    if (previous && previous.metadata.resourceVersion === object.metadata.resourceVersion) return;
    cache.set(key, object);
    emit(previous ? { type: 'updated', object, previous } : { type: 'added', object });
  };

  const mirror: Mirror<T> = {
    upsert,
    remove: (object) => remove(keyOf(object), object),
    seen: gate.moveTo,
    replace: async (objects, version) => {
      // Others can run while a long list is processed: until it is complete, the cache is part old, part new.
      gate.moveTo(undefined);
      const present = new Set(objects.map(keyOf));
      for (const key of cache.keys()) if (!present.has(key)) remove(key);
      for (const [index, object] of objects.entries()) {
        if (index > 0 && index % objectsPerTurn === 0) await nextTurn();
        upsert(object);
      }
      hasSynced = true;
      gate.moveTo(version);
      for (const wake of waiters) wake();
    },
  };

  const reflector = createReflector({
    ...options,
    transform: (object) => transform(withoutManagedFields(object)),
    mirror,
    onError: (error) => {
      // Logged once, not for each of many attempts: an outage stops all informers of a program at the same time.
      const isNews = lastError?.message !== error.message;
      lastError = error;
      logger[isNews ? 'warn' : 'debug']('cannot watch the API server, retrying', { error });
      if (options.onError) notify(options.onError, error);
    },
    onHealthy: () => {
      lastError = undefined;
      logger.info('watching the API server again');
    },
  });

  return {
    get: cache.get,
    list: cache.list,
    byIndex: cache.byIndex,
    hasSynced: () => hasSynced,
    lastError: () => lastError,
    waitForSync: ({ signal } = {}) =>
      new Promise((resolve, reject) => {
        if (hasSynced) return resolve();
        if (signal?.aborted) return reject(signal.reason);
        const stopListening = onAbort(signal, () => {
          waiters.delete(wake);
          reject(signal?.reason);
        });
        const wake = () => {
          waiters.delete(wake);
          stopListening();
          resolve();
        };
        waiters.add(wake);
      }),
    onChange: (listener) => {
      listeners.add(listener);
      for (const object of cache.list()) notify(listener, { type: 'added', object });
      return () => {
        listeners.delete(listener);
      };
    },
    version: gate.version,
    reached: gate.reached,
    doubt: reflector.doubt,
    run: reflector.run,
  };
};

const withoutManagedFields = <T extends KubeObject>(object: T): T => {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? object : { ...object, metadata };
};
