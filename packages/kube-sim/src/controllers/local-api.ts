import type { KubeObject } from '@vdo/kube/types/object';
import type { ObjectKey, Resource } from '@vdo/kube/types/resource';
import { deleteObject, type Propagation } from '../api/delete.ts';
import { type ApiDeps, type Target, targetKey } from '../api/target.ts';
import { createObject, updateObject } from '../api/write.ts';
import { deepEqual } from '../json.ts';
import { bucketOf } from '../strategies/resource-type.ts';

/** The verbs for the server's own controllers: no network, no delays, always the newest state. */
export interface LocalApi {
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T | undefined;
  list<T extends KubeObject>(resource: Resource<T>, namespace?: string): readonly T[];
  create<T extends KubeObject>(resource: Resource<T>, object: T): void;
  /** Writes an object that was read before; does nothing if `change` returns an equal one. */
  update<T extends KubeObject>(resource: Resource<T>, object: T, change: (object: T) => T): void;
  updateStatus<T extends KubeObject & { readonly status?: unknown }>(
    resource: Resource<T>,
    object: T,
    status: T['status'],
  ): void;
  /** Does nothing if the object does not exist or is already being deleted. */
  remove(
    resource: Resource,
    object: KubeObject,
    options?: { readonly propagation?: Propagation; readonly isForced?: boolean },
  ): void;
}

export const createLocalApi = (deps: ApiDeps, manager: string): LocalApi => {
  const context = { fieldManager: manager, dryRun: false, fieldValidation: 'Ignore', warn: () => {} } as const;
  const target = (resource: Resource, key: Partial<ObjectKey>, subresource = ''): Target => {
    const served = deps.registry.find(resource.group, resource.version, resource.plural);
    if (!served) throw new Error(`${resource.plural} are not served`);
    const place = resource.namespaced && key.namespace !== undefined ? { namespace: key.namespace } : {};
    return { ...served, subresource, ...place, ...(key.name === undefined ? {} : { name: key.name }) };
  };
  const keyOf = ({ metadata: { name = '', namespace } }: KubeObject): ObjectKey => ({
    name,
    ...(namespace === undefined ? {} : { namespace }),
  });
  const bucket = ({ group, plural }: Resource): string => bucketOf(group, plural);
  const write = (resource: Resource, object: KubeObject, subresource: string): void => {
    updateObject(deps, target(resource, keyOf(object), subresource), { body: object, context });
  };
  return {
    get: <T extends KubeObject>(resource: Resource<T>, { namespace, name }: ObjectKey) =>
      deps.store.get(bucket(resource), `${resource.namespaced ? (namespace ?? '') : ''}/${name}`) as T | undefined,
    list: <T extends KubeObject>(resource: Resource<T>, namespace?: string) =>
      deps.store
        .list(bucket(resource))
        .filter(
          ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
        ) as readonly KubeObject[] as readonly T[],
    create: (resource, object) => {
      const { namespace } = object.metadata;
      createObject(deps, target(resource, namespace === undefined ? {} : { namespace }), { body: object, context });
    },
    update: (resource, object, change) => {
      const next = change(object);
      if (!deepEqual(next, object)) write(resource, next, '');
    },
    updateStatus: (resource, object, status) => {
      if (!deepEqual(status, object.status)) write(resource, { ...object, status } as KubeObject, 'status');
    },
    remove: (resource, object, { propagation = 'Background', isForced = false } = {}) => {
      const place = target(resource, keyOf(object));
      const found = deps.store.get(place.definition.bucket, targetKey(place));
      const isOther = found?.metadata.uid !== object.metadata.uid;
      if (!found || isOther || (found.metadata.deletionTimestamp !== undefined && !isForced)) return;
      deleteObject(deps, place, { propagation, dryRun: false, ...(isForced ? { gracePeriodSeconds: 0 } : {}) });
    },
  };
};
