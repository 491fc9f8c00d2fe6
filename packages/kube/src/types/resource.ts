import type { KubeObject } from './object.ts';

/** Names an API resource and the type of its objects. `T` exists for the compiler only. */
export interface Resource<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly objectType?: T;
}

export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string;
}

export const apiVersionOf = (resource: Resource): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;

/** `namespace/name`, or `name` of a cluster-scoped object: the key of work queues and caches. */
export const keyOf = (object: KubeObject): string =>
  object.metadata.namespace
    ? `${object.metadata.namespace}/${object.metadata.name ?? ''}`
    : (object.metadata.name ?? '');

export const parseKey = (key: string): ObjectKey => {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
};
