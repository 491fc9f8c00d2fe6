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
  /** Runs until aborted; never gives up on errors. */
  run(signal: AbortSignal): Promise<void>;
}
