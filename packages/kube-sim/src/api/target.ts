import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { AnyObject } from '@vdo/kube/types/object';
import { notFound } from '../api-error.ts';
import { getIn, omit } from '../json.ts';
import type { Registry, ServedResource } from '../resources/registry.ts';
import { type Store, storeKey } from '../store/store.ts';

/** The object or collection that a request is about. */
export interface Target extends ServedResource {
  /** Undefined for cluster-scoped resources and for requests over all namespaces. */
  readonly namespace?: string;
  /** Undefined for collections. */
  readonly name?: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** What the verbs work on. */
export interface ApiDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether field ownership is recorded from the creation on; true by default. */
  readonly recordsManagers?: boolean;
}

export const apiVersionOfTarget = ({ definition, version }: ServedResource): string =>
  definition.group === '' ? version.name : `${definition.group}/${version.name}`;

export const targetKey = ({ namespace, name = '' }: Target): string => storeKey(namespace, name);

/** Versions of one resource differ in name only (conversion strategy None). */
export const inVersion = (object: AnyObject, served: ServedResource): AnyObject => {
  const apiVersion = apiVersionOfTarget(served);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
};

/** The stored object. Throws NotFound. */
export const existing = ({ store }: ApiDeps, target: Target): AnyObject => {
  const found = store.get(target.definition.bucket, targetKey(target));
  if (!found) throw notFound(target.definition, target.name ?? '');
  return found;
};

/** Whether an object that is marked as deleted can be removed. */
export const isReadyToGo = (object: AnyObject): boolean => {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  return (
    deletionTimestamp !== undefined &&
    deletionGracePeriodSeconds === 0 &&
    finalizers.length === 0 &&
    !holdsContent(object)
  );
};

/** A namespace is kept by its spec.finalizers until its content is deleted. */
export const holdsContent = (object: AnyObject): boolean => {
  const held = getIn(object, ['spec', 'finalizers']);
  return object.kind === 'Namespace' && Array.isArray(held) && held.length > 0;
};

export const withMetadata = (object: AnyObject, changes: Readonly<Record<string, unknown>>): AnyObject => {
  const unset = Object.keys(changes).filter((field) => changes[field] === undefined);
  return { ...object, metadata: { ...omit({ ...object.metadata }, ...unset), ...omit(changes, ...unset) } };
};
