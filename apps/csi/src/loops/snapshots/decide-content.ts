import type { VolumeSnapshotContent } from '@vdo/kube/types/snapshots';
import { driverName } from '../../driver.ts';
import { snapshotAnnotations, snapshotFinalizers } from './snapshot-names.ts';

/** What to do with a VolumeSnapshotContent. */
export type ContentDecision =
  | { readonly action: 'ignore' }
  /** Create the snapshot, or find the one that an earlier attempt created. */
  | { readonly action: 'create'; readonly volumeId: string }
  /** An existing snapshot: read its properties. */
  | { readonly action: 'look'; readonly snapshotId: string }
  /** It is ready, but still marked as being created. */
  | { readonly action: 'unmark' }
  /** Delete the snapshot, then remove the finalizer of the object. */
  | { readonly action: 'delete'; readonly snapshotId: string }
  /** Remove the finalizer of the object. */
  | { readonly action: 'release' };

const isMarked = ({ metadata }: VolumeSnapshotContent, annotation: string): boolean =>
  metadata.annotations?.[annotation] !== undefined;

const decideDeletion = (content: VolumeSnapshotContent): ContentDecision => {
  const { spec, status, metadata } = content;
  // No VolumeSnapshot was bound to it yet, so no one can set the mark that it is being deleted.
  const unbound = spec.source.snapshotHandle !== undefined && !spec.volumeSnapshotRef.uid;
  if (!unbound && !isMarked(content, snapshotAnnotations.beingDeleted)) return { action: 'ignore' };
  const snapshotId = status?.snapshotHandle;
  const isMember = status?.volumeGroupSnapshotHandle !== undefined;
  if (spec.deletionPolicy === 'Delete' && snapshotId !== undefined && !isMember)
    return { action: 'delete', snapshotId };
  return metadata.finalizers?.includes(snapshotFinalizers.content) ? { action: 'release' } : { action: 'ignore' };
};

/** Decides by the state of the content, as the upstream csi-snapshotter does. */
export const decideContent = (content: VolumeSnapshotContent): ContentDecision => {
  const { spec, status, metadata } = content;
  if (spec.driver !== driverName) return { action: 'ignore' };
  const { volumeHandle, snapshotHandle } = spec.source;
  const creating = isMarked(content, snapshotAnnotations.beingCreated);
  // It must be known whether a snapshot exists before it can be deleted.
  if (metadata.deletionTimestamp && !(creating && volumeHandle !== undefined && !status?.snapshotHandle))
    return decideDeletion(content);
  if (status?.readyToUse) return creating ? { action: 'unmark' } : { action: 'ignore' };
  if (snapshotHandle !== undefined) return { action: 'look', snapshotId: snapshotHandle };
  if (volumeHandle === undefined || isMarked(content, snapshotAnnotations.group)) return { action: 'ignore' };
  return { action: 'create', volumeId: volumeHandle };
};
