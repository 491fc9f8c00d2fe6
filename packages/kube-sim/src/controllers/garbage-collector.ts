import type { AnyObject } from '@vdo/kube/types/object';
import { deleteObject } from '../api/delete.ts';
import { type ApiDeps, isReadyToGo, withMetadata } from '../api/target.ts';
import type { SimController } from './run-controllers.ts';

const foreground = 'foregroundDeletion';
const orphan = 'orphan';

interface Place {
  readonly bucket: string;
  readonly key: string;
}

const separator = '|';
const textOf = ({ bucket, key }: Place): string => `${bucket}${separator}${key}`;
const placeOf = (text: string): Place => {
  const [bucket = '', key = ''] = text.split(separator);
  return { bucket, key };
};

/** Deletes objects that lost their last owner, and removes owners after their dependents (foreground) or without them (orphan). */
export const createGarbageCollector = (deps: ApiDeps): SimController => {
  const { store, registry } = deps;
  const alive = new Map<string, Place>();
  const dependents = new Map<string, Map<string, Place>>();

  const save = ({ bucket, key }: Place, object: AnyObject): void => {
    if (isReadyToGo(object)) store.remove(bucket, key, object);
    else store.put(bucket, key, object);
  };
  const remove = (place: Place, object: AnyObject, isForeground: boolean): void => {
    const definition = registry.all().find(({ bucket }) => bucket === place.bucket);
    const [version] = definition?.versions ?? [];
    const { name = '', namespace, deletionTimestamp } = object.metadata;
    if (!definition || !version || deletionTimestamp !== undefined) return;
    const target = { definition, version, name, subresource: '', ...(namespace === undefined ? {} : { namespace }) };
    deleteObject(deps, target, { dryRun: false, propagation: isForeground ? 'Foreground' : 'Background' });
  };
  const dependentsOf = (uid: string): readonly (readonly [Place, AnyObject])[] =>
    [...(dependents.get(uid)?.values() ?? [])].flatMap((place) => {
      const object = store.get(place.bucket, place.key);
      const isStill = object?.metadata.ownerReferences?.some((owner) => owner.uid === uid);
      return object && isStill ? [[place, object] as const] : [];
    });
  const withoutOwners = (object: AnyObject, isGone: (uid: string) => boolean): AnyObject => {
    const rest = (object.metadata.ownerReferences ?? []).filter(({ uid }) => !isGone(uid));
    return withMetadata(object, { ownerReferences: rest.length > 0 ? rest : undefined });
  };
  const withoutFinalizer = (object: AnyObject, finalizer: string): AnyObject => {
    const rest = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    return withMetadata(object, { finalizers: rest.length > 0 ? rest : undefined });
  };

  const finishOwner = (place: Place, owner: AnyObject): void => {
    const { uid = '', finalizers = [] } = owner.metadata;
    if (finalizers.includes(orphan)) {
      for (const [at, dependent] of dependentsOf(uid))
        save(
          at,
          withoutOwners(dependent, (other) => other === uid),
        );
      save(place, withoutFinalizer(owner, orphan));
    } else if (finalizers.includes(foreground)) {
      const remaining = dependentsOf(uid);
      for (const [at, dependent] of remaining) remove(at, dependent, true);
      const blocking = dependentsOf(uid).filter(([, { metadata }]) =>
        metadata.ownerReferences?.some((ref) => ref.uid === uid && ref.blockOwnerDeletion),
      );
      if (blocking.length === 0) save(place, withoutFinalizer(owner, foreground));
    }
  };
  const checkOwners = (place: Place, object: AnyObject): void => {
    const owners = object.metadata.ownerReferences ?? [];
    const gone = owners.filter(({ uid }) => !alive.has(uid));
    if (gone.length === 0) return;
    if (gone.length === owners.length) remove(place, object, false);
    else
      save(
        place,
        withoutOwners(object, (uid) => !alive.has(uid)),
      );
  };

  return {
    name: 'garbage-collector',
    keysOf: ({ type, bucket, object: { metadata } }) => {
      const { uid = '', namespace = '', name = '', ownerReferences = [] } = metadata;
      const place = { bucket, key: `${namespace}/${name}` };
      const owners = ownerReferences.flatMap((owner) => alive.get(owner.uid) ?? []);
      if (type === 'DELETED') {
        alive.delete(uid);
        const left = [...(dependents.get(uid)?.keys() ?? [])];
        dependents.delete(uid);
        for (const owner of ownerReferences) dependents.get(owner.uid)?.delete(textOf(place));
        return [...left, ...owners.map(textOf)];
      }
      alive.set(uid, place);
      for (const owner of ownerReferences) {
        const known = dependents.get(owner.uid) ?? new Map<string, Place>();
        dependents.set(owner.uid, known.set(textOf(place), place));
      }
      return ownerReferences.length > 0 || metadata.deletionTimestamp !== undefined ? [textOf(place)] : [];
    },
    reconcile: (key) => {
      const place = placeOf(key);
      const object = store.get(place.bucket, place.key);
      if (!object) return undefined;
      if (object.metadata.deletionTimestamp !== undefined) finishOwner(place, object);
      else checkOwners(place, object);
      return undefined;
    },
  };
};
