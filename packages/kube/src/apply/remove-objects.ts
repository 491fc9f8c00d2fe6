import { isVdoError } from '@vdo/base/vdo-error';
import type { CallOptions, KubeClient } from '../client.ts';
import { persistentVolumeClaims, persistentVolumes } from '../types/core.ts';
import type { KubeObject } from '../types/object.ts';
import type { ObjectRef } from './object-ref.ts';
import { inApplyOrder, isKept, isStorageClass, type Phase, phaseOf } from './phases.ts';

export interface Removal {
  /** Deleted, or never ours. */
  readonly removed: readonly ObjectRef[];
  /** Deleted, but something (a finalizer) still holds them; or kept until pods have ended: call again. */
  readonly remaining: readonly ObjectRef[];
  /** Never deleted: kinds on which data depends. */
  readonly kept: readonly ObjectRef[];
  /** StorageClasses that volumes still refer to: not deleted for now. */
  readonly inUse: readonly ObjectRef[];
}

type Fate = keyof Removal;

export interface RemoveOptions extends CallOptions {
  readonly fieldManager: string;
  /**
   * Whether pods of removed workloads are still ending. If set, what pods need (accounts, permissions, configuration) is deleted in a later
   * call than the workloads, and not before their pods have ended: a pod that ends has to release its Lease. Default: everything is deleted at once.
   */
  readonly podsEnding?: ((call: CallOptions) => Promise<boolean>) | undefined;
}

const neededByPods: readonly Phase[] = ['services', 'storage', 'configuration', 'accounts', 'crds'];

/** Deletes the objects of an inventory in the reverse order of their creation, and only those with the UID in the inventory. */
export const removeObjects = async (
  client: KubeClient,
  refs: readonly ObjectRef[],
  options: RemoveOptions,
): Promise<Removal> => {
  const { fieldManager, podsEnding, ...call } = options;
  const classes = refs.some(isStorageClass) ? await classesInUse(client, call) : new Set<string>();
  const fates: Record<Fate, ObjectRef[]> = { removed: [], remaining: [], kept: [], inUse: [] };
  const isHeldBack = async (): Promise<boolean> => {
    if (!podsEnding) return false;
    const workloads = [...fates.removed, ...fates.remaining].filter((ref) => phaseOf(ref) === 'workloads');
    return workloads.length > 0 || podsEnding(call);
  };
  let heldBack: boolean | undefined;
  for (const ref of [...inApplyOrder(refs, (each) => each)].reverse()) {
    if (isKept(ref)) fates.kept.push(ref);
    else if (isStorageClass(ref) && classes.has(ref.name)) fates.inUse.push(ref);
    else {
      if (neededByPods.includes(phaseOf(ref))) heldBack ??= await isHeldBack();
      fates[!heldBack && (await remove(client, ref, fieldManager, call)) ? 'removed' : 'remaining'].push(ref);
    }
  }
  return fates;
};

// True if it was deleted.
const remove = async (
  client: KubeClient,
  ref: ObjectRef,
  fieldManager: string,
  call: CallOptions,
): Promise<boolean> => {
  const key = { name: ref.name, ...(ref.namespace && { namespace: ref.namespace }) };
  try {
    const resource = await client.resourceFor(ref.apiVersion, ref.kind, call);
    const live = await client.find(resource, key, call);
    if (!live || !isOurs(live, ref, fieldManager)) return true;
    const uid = live.metadata.uid;
    if (!live.metadata.deletionTimestamp)
      await client.delete(resource, key, { ...call, propagation: 'Background', ...(uid && { uid }) });
    const left = await client.find(resource, key, call);
    return left?.metadata.uid !== uid;
  } catch (error) {
    // Its CRD was deleted, and with it all objects of the kind.
    if (isVdoError(error, 'KubeResourceMissing')) return true;
    // Somebody replaced it between the read and the deletion: the new object is not ours.
    if (isVdoError(error, 'KubeConflict')) return false;
    throw error;
  }
};

// A run that ended between the creation of an object and writing its UID leaves no UID: then the field manager identifies it.
const isOurs = (live: KubeObject, ref: ObjectRef, fieldManager: string): boolean =>
  ref.uid !== undefined ? live.metadata.uid === ref.uid : isAppliedBy(live, fieldManager);

/** Whether a field manager has applied an object. Objects that others create with the same labels and names do not have it. */
export const isAppliedBy = ({ metadata }: KubeObject, fieldManager: string): boolean =>
  (metadata.managedFields ?? []).some(({ manager, operation }) => manager === fieldManager && operation === 'Apply');

const classesInUse = async (client: KubeClient, call: CallOptions): Promise<ReadonlySet<string>> => {
  const [volumes, claims] = await Promise.all([
    client.list(persistentVolumes, call),
    client.list(persistentVolumeClaims, call),
  ]);
  return new Set([...volumes.items, ...claims.items].flatMap(({ spec }) => spec.storageClassName ?? []));
};
