import type { Controller } from './controller.ts';
import type { Change, Informer } from './informer.ts';
import type { KubeObject } from './types/object.ts';
import { keyOf } from './types/resource.ts';

export interface EnqueueOnOptions<T extends KubeObject> {
  /** Relevant changes. Default: all. */
  readonly when?: (change: Change<T>) => boolean;
  /** The keys that a change enqueues. Default: the object itself. */
  readonly keys?: (object: T) => readonly string[];
}

/** Enqueues the changes of an informer in a controller. Returns a function that ends the subscription. */
export const enqueueOn = <T extends KubeObject>(
  informer: Informer<T>,
  controller: Controller,
  options: EnqueueOnOptions<T> = {},
): (() => void) => {
  const { when = () => true, keys = (object: T) => [keyOf(object)] } = options;
  return informer.onChange((change) => {
    if (!when(change)) return;
    // If an object moves from one owner to another, both have work to do.
    const before = change.previous ? keys(change.previous) : [];
    for (const key of new Set([...before, ...keys(change.object)])) controller.enqueue(key);
  });
};

/** Changes of the spec or metadata, not of the status: a new generation, or labels, annotations, finalizers or the deletion. */
export const specChanged = <T extends KubeObject>({ type, object, previous }: Change<T>): boolean =>
  type !== 'updated' || previous === undefined || specAndMetadataOf(object) !== specAndMetadataOf(previous);

const specAndMetadataOf = ({ metadata }: KubeObject): string => {
  const { generation, labels, annotations, finalizers, deletionTimestamp } = metadata;
  return JSON.stringify([generation, labels, annotations, finalizers, deletionTimestamp]);
};
