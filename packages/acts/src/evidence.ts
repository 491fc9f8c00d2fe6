import type { KubeObject } from '@vdo/kube/types/object';
import type { ObjectKey, Resource } from '@vdo/kube/types/resource';

/** One thing that was read, as the record of an act names it. */
export interface Fact {
  readonly what: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** Monotonic milliseconds of this process when the request was sent, so no later than the state that it shows. */
  readonly readMs: number;
}

// Nobody else can name this key: a value of these types comes from a reading of this package, or it is no evidence.
declare const proof: unique symbol;
declare const writing: unique symbol;

/** What a live request since an attempt began has shown. */
export interface Evidence {
  readonly [proof]: true;
  readonly readMs: number;
  readonly facts: readonly Fact[];
}

/** An object as the API server has it. */
export interface Seen<T extends KubeObject = KubeObject> extends Evidence {
  readonly kind: 'seen';
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly object: T;
}

/**
 * An object as the API server has it after a write of the attempt. Its version is new, so a cache that has reached it knows all that
 * came before. The version of an object that was only read may be years old, and says nothing about others.
 */
export interface Written<T extends KubeObject = KubeObject> extends Seen<T> {
  readonly [writing]: true;
}

/** The API server said that there is no such object. */
export interface Absent<T extends KubeObject = KubeObject> extends Evidence {
  readonly kind: 'absent';
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
}

/** The answer of a cache that was proven current. It is asked once more when the act is sent, and must still say the same. */
export interface Found<T extends KubeObject = KubeObject> extends Evidence {
  readonly kind: 'found';
  readonly resource: Resource<T>;
  /** What was asked for, by which index. */
  readonly question: { readonly index: string; readonly value: string };
  readonly objects: readonly T[];
}

/** What something else than the API server said: vCenter, the kernel. */
export interface Answer<T> extends Evidence {
  readonly kind: 'answer';
  readonly value: T;
}

/** A cache proven current; it can be asked for some seconds. */
export interface Current<T extends KubeObject = KubeObject> {
  readonly [proof]: true;
  /** What a live request returned and the cache has reached. */
  readonly resourceVersion: string;
  readonly readMs: number;
  /** By `namespace/name` or `name`: one object or none. */
  get(key: string): Found<T>;
  byIndex(index: string, value: string): Found<T>;
}
