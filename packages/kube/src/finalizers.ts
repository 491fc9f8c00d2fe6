import { isVdoError } from '@vdo/base/vdo-error';
import type { CallOptions, KubeClient } from './client.ts';
import type { KubeObject } from './types/object.ts';
import type { Resource } from './types/resource.ts';

export const hasFinalizer = (object: KubeObject, finalizer: string): boolean =>
  object.metadata.finalizers?.includes(finalizer) ?? false;

export const isBeingDeleted = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;

/** Adds a finalizer; gives the object as it is then. KubeConflict if it changed meanwhile: reconcile again. */
export const addFinalizer = async <T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  options: CallOptions & { readonly finalizer: string },
): Promise<T> => {
  const { finalizer, ...call } = options;
  if (hasFinalizer(object, finalizer)) return object;
  return patchFinalizers(client, resource, object, [...(object.metadata.finalizers ?? []), finalizer], call);
};

/** Removes a finalizer, which may let the object go: then, and if it is gone already, the result is undefined. */
export const removeFinalizer = async <T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  options: CallOptions & { readonly finalizer: string },
): Promise<T | undefined> => {
  const { finalizer, ...call } = options;
  if (!hasFinalizer(object, finalizer)) return object;
  const left = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  try {
    const patched = await patchFinalizers(client, resource, object, left, call);
    return left.length === 0 && isBeingDeleted(patched) ? undefined : patched;
  } catch (error) {
    if (isVdoError(error, 'KubeNotFound')) return undefined;
    throw error;
  }
};

// A merge patch replaces the whole list: the resourceVersion makes sure that it is the list that was read.
const patchFinalizers = <T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  finalizers: readonly string[],
  options: CallOptions,
): Promise<T> => {
  const { name = '', namespace, resourceVersion, uid } = object.metadata;
  const body = { metadata: { finalizers, resourceVersion, uid } };
  return client.patch(resource, { name, ...(namespace && { namespace }) }, { type: 'merge', body }, options);
};
