import { names } from '@vdo/config/names';
import type { Change } from '@vdo/kube/informer';
import type { NodeCondition, PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { VolumeSnapshot } from '@vdo/kube/types/snapshots';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { ObjectRef } from '../rows/attention-row.ts';
import type { Operation } from '../rows/volume-row.ts';
import { attachTask } from './operations.ts';
import { isOurs, millis } from './volume-facts.ts';

/** An operation on a volume that came to an end, or failed and will be tried again. */
export interface EndedOperation {
  readonly what: Operation['what'];
  readonly object: ObjectRef;
  /** When it was requested. */
  readonly sinceMs: number;
  readonly error?: string;
  /** Its result, such as the sizes before and after. */
  readonly result?: string;
  /** The task of vCenter that it waited for, and since when. */
  readonly task?: { readonly name: string; readonly sinceMs: number };
}

const refOf = ({ kind, metadata: { name = '', namespace } }: KubeObject, fallback: string): ObjectRef => ({
  kind: kind || fallback,
  name,
  ...(namespace ? { namespace } : {}),
});

const ended = (
  what: Operation['what'],
  object: ObjectRef,
  about: {
    readonly since: string | undefined;
    readonly error?: string | undefined;
    readonly result?: string | undefined;
  },
): readonly EndedOperation[] => {
  const { since, error, result } = about;
  const sinceMs = millis(since);
  return sinceMs === undefined
    ? []
    : [{ what, object, sinceMs, ...(error ? { error } : {}), ...(result ? { result } : {}) }];
};

/** The past of an object that is seen for the first time is not news. */
export const endedAttachment = ({ type, object, previous }: Change<VolumeAttachment>): readonly EndedOperation[] => {
  const { metadata, spec, status } = object;
  if (spec.attacher !== names.csiDriver || !previous) return [];
  const volume = { kind: 'PersistentVolume', name: spec.source.persistentVolumeName ?? '' };
  const { attachError, detachError } = status ?? {};
  if (type === 'deleted')
    return ended('detach', volume, { since: metadata.deletionTimestamp ?? previous.metadata.deletionTimestamp });
  if (status?.attached && !previous.status?.attached) {
    // The task of an earlier attempt is not that of this one.
    const { task: name, atMs } = attachTask(previous) ?? {};
    const task = name !== undefined && atMs !== undefined ? { task: { name, sinceMs: atMs } } : {};
    return ended('attach', volume, { since: metadata.creationTimestamp }).map((one) => ({ ...one, ...task }));
  }
  const before = previous.status;
  if (attachError?.message && attachError.message !== before?.attachError?.message)
    return ended('attach', volume, { since: metadata.creationTimestamp, error: attachError.message });
  return detachError?.message && detachError.message !== before?.detachError?.message
    ? ended('detach', volume, { since: metadata.deletionTimestamp, error: detachError.message })
    : [];
};

const provisioner = 'volume.kubernetes.io/storage-provisioner';

const resizing = (conditions: readonly NodeCondition[] | undefined): NodeCondition | undefined =>
  conditions?.find(
    ({ type, status }) => status === 'True' && (type === 'Resizing' || type === 'FileSystemResizePending'),
  );

export const endedClaim = ({ type, object, previous }: Change<PersistentVolumeClaim>): readonly EndedOperation[] => {
  const { metadata, status } = object;
  if (type === 'deleted' || !previous || metadata.annotations?.[provisioner] !== names.csiDriver) return [];
  const claim = refOf(object, 'PersistentVolumeClaim');
  if (status?.phase === 'Bound' && previous.status?.phase !== 'Bound')
    return ended('create', claim, { since: metadata.creationTimestamp });
  const before = resizing(previous.status?.conditions);
  if (!before || resizing(status?.conditions)) return [];
  const [was, is] = [previous.status?.capacity?.['storage'], status?.capacity?.['storage']];
  const result = was !== undefined && is !== undefined && was !== is ? `${was} → ${is}` : undefined;
  return ended('expand', claim, { since: before.lastTransitionTime, result });
};

export const endedVolume = ({ type, object, previous }: Change<PersistentVolume>): readonly EndedOperation[] => {
  if (!isOurs(object) || !previous) return [];
  const { spec, status, metadata } = object;
  if (type !== 'deleted' || spec.persistentVolumeReclaimPolicy !== 'Delete') return [];
  return ended('delete', refOf(object, 'PersistentVolume'), {
    since: status?.lastPhaseTransitionTime ?? metadata.deletionTimestamp,
  });
};

export const endedSnapshot = ({ type, object, previous }: Change<VolumeSnapshot>): readonly EndedOperation[] => {
  const { metadata, status } = object;
  if (type === 'deleted' || !previous) return [];
  const snapshot = refOf(object, 'VolumeSnapshot');
  if (status?.readyToUse && !previous.status?.readyToUse)
    return ended('snapshot', snapshot, { since: metadata.creationTimestamp });
  const { message } = status?.error ?? {};
  return message && message !== previous.status?.error?.message
    ? ended('snapshot', snapshot, { since: metadata.creationTimestamp, error: message })
    : [];
};
