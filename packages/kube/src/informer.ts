import type { KubeObject } from './types/object.ts';

export type Change<T> = { readonly type: 'added' | 'updated' | 'deleted'; readonly object: T; readonly previous?: T };

/** A local cache of one resource, kept equal to the server's state by list and watch, even if connections fail. */
export interface Informer<T extends KubeObject> {
  /** By `namespace/name` or `name`. */
  get(key: string): T | undefined;
  list(): readonly T[];
  byIndex(index: string, value: string): readonly T[];
  /** Called for every change after it is in the cache; a late listener gets the current objects as `added`. */
  onChange(listener: (change: Change<T>) => void): () => void;
  hasSynced(): boolean;
  /** Resolves at the first complete list. */
  waitForSync(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** The version of the server's state that the cache equals; undefined before the first list and while a list is processed. */
  version(): string | undefined;
  /**
   * Resolves when the cache has seen this version of its resource or a newer one, by list, event or bookmark. Rejects if it is not an
   * integer. By itself this proves nothing: the version must come from a live request that was sent after the event in question.
   */
  reached(resourceVersion: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Tells the informer that the server is known to be ahead. A silent stream is closed at once and resumed from its version, and the server is
   * made to send a bookmark soon. May be called often: calls that are too early, or while events arrive, are ignored. Lists only if `relist` is
   * set, for a server whose versions went back.
   */
  doubt(options?: { readonly relist?: boolean }): void;
  /** Runs until aborted; never gives up on errors. */
  run(signal: AbortSignal): Promise<void>;
}
