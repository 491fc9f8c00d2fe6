import type { KubeObject } from '@vdo/kube/types/object';
import type { ObjectKey, Resource } from '@vdo/kube/types/resource';

/** One item that was read, for the record of an act. */
export interface Fact {
  readonly what: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** Monotonic milliseconds of this process when the request was sent, so not later than the state that it shows. */
  readonly readMs: number;
}

// Code outside cannot use this key: a value of these types was read by this package, otherwise it does not count as evidence.
declare const proof: unique symbol;
declare const writing: unique symbol;

/** The result of a live request since an attempt began. */
export interface Evidence {
  readonly [proof]: true;
  readonly readMs: number;
  readonly facts: readonly Fact[];
}

/** An object as read from the API server. */
export interface Seen<T extends KubeObject = KubeObject> extends Evidence {
  readonly kind: 'seen';
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly object: T;
}

/**
 * An object as the API server returned it after a write of the attempt. Its version is new, so a cache that has reached it knows everything
 * before it. The version of an object that was only read may be years old, so it says nothing about other objects.
 */
export interface Written<T extends KubeObject = KubeObject> extends Seen<T> {
  readonly [writing]: true;
}

/** The API server reported that there is no such object. */
export interface Absent<T extends KubeObject = KubeObject> extends Evidence {
  readonly kind: 'absent';
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
}

/** The answer of a cache that was proven current. The cache is asked again when the request is sent, and must give the same answer. */
export interface Found<T extends KubeObject = KubeObject> extends Evidence {
  readonly kind: 'found';
  readonly resource: Resource<T>;
  /** The query and its index. */
  readonly question: { readonly index: string; readonly value: string };
  readonly objects: readonly T[];
}

/** The answer of another system than the API server: vCenter or the kernel. */
export interface Answer<T> extends Evidence {
  readonly kind: 'answer';
  readonly value: T;
}

/** A cache that was proven current; it can be queried for some seconds. */
export interface Current<T extends KubeObject = KubeObject> {
  readonly [proof]: true;
  /** The version that a live request returned and that the cache has reached. */
  readonly resourceVersion: string;
  readonly readMs: number;
  /** By `namespace/name` or `name`: one object or none. */
  get(key: string): Found<T>;
  byIndex(index: string, value: string): Found<T>;
}
