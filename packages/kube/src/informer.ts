import type { KubeObject } from './types/object.ts';

export type Change<T> = { readonly type: 'added' | 'updated' | 'deleted'; readonly object: T; readonly previous?: T };

/** A local cache of one resource, kept equal to the server's state by list and watch, whatever the connection does. */
export interface Informer<T extends KubeObject> {
  /** By `namespace/name` or `name`. */
  get(key: string): T | undefined;
  list(): readonly T[];
  byIndex(index: string, value: string): readonly T[];
  /** Called for every change after the cache has it; a late listener gets the current objects as `added`. */
  onChange(listener: (change: Change<T>) => void): () => void;
  hasSynced(): boolean;
  /** Resolves at the first complete list. */
  waitForSync(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** The version of the server's state that the cache equals; undefined before the first list and while a list is taken in. */
  version(): string | undefined;
  /**
   * Resolves when the cache has seen this version of its resource or a newer one, by list, event or bookmark. Rejects if it is not an
   * integer. It says nothing by itself: the version must come from a live request that was sent after what is asked about.
   */
  reached(resourceVersion: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Says that the server is known to be ahead. A silent stream is broken at once and resumed from its version, and the server is made
   * to send a bookmark soon. Cheap to repeat: what comes too early or while events flow is left out. Lists only if `relist` says so,
   * for a server whose versions went back.
   */
  doubt(options?: { readonly relist?: boolean }): void;
  /** Runs until aborted; never gives up on errors. */
  run(signal: AbortSignal): Promise<void>;
}
