import type { CallOptions, KubeClient } from './client.ts';
import type { KubeObject } from './types/object.ts';
import type { Resource } from './types/resource.ts';

export const hasFinalizer = (object: KubeObject, finalizer: string): boolean =>
  object.metadata.finalizers?.includes(finalizer) ?? false;

export const isBeingDeleted = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;

/**
 * Adds a finalizer; returns the updated object. KubeConflict if it changed meanwhile: reconcile again. Removing one is done in
 * packages/acts.
 */
export const addFinalizer = async <T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  options: CallOptions & { readonly finalizer: string },
): Promise<T> => {
  const { finalizer, ...call } = options;
  if (hasFinalizer(object, finalizer)) return object;
  const { name = '', namespace, resourceVersion, uid, finalizers: present = [] } = object.metadata;
  // A merge patch replaces the whole list: the resourceVersion ensures that it is the list that was read.
  const body = { metadata: { finalizers: [...present, finalizer], resourceVersion, uid } };
  return client.patch(resource, { name, ...(namespace && { namespace }) }, { type: 'merge', body }, call);
};
