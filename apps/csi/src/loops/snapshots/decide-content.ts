import type { VolumeSnapshotContent } from '@vdo/kube/types/snapshots';
import { driverName } from '../../driver.ts';
import { snapshotAnnotations, snapshotFinalizers } from './snapshot-names.ts';

/** What is to be done about a VolumeSnapshotContent. */
export type ContentDecision =
  | { readonly action: 'ignore' }
  /** Take the snapshot, or find the one that an earlier try took. */
  | { readonly action: 'create'; readonly volumeId: string }
  /** A snapshot that somebody else took: see what it is. */
  | { readonly action: 'look'; readonly snapshotId: string }
  /** It is ready, but still says that it is being created. */
  | { readonly action: 'unmark' }
  /** Delete the snapshot, then let the object go. */
  | { readonly action: 'delete'; readonly snapshotId: string }
  /** Let the object go. */
  | { readonly action: 'release' };

const isMarked = ({ metadata }: VolumeSnapshotContent, annotation: string): boolean =>
  metadata.annotations?.[annotation] !== undefined;

const decideDeletion = (content: VolumeSnapshotContent): ContentDecision => {
  const { spec, status, metadata } = content;
  // Nobody was bound to it yet, so that nobody can tell that it is being deleted.
  const unbound = spec.source.snapshotHandle !== undefined && !spec.volumeSnapshotRef.uid;
  if (!unbound && !isMarked(content, snapshotAnnotations.beingDeleted)) return { action: 'ignore' };
  const snapshotId = status?.snapshotHandle;
  const isMember = status?.volumeGroupSnapshotHandle !== undefined;
  if (spec.deletionPolicy === 'Delete' && snapshotId !== undefined && !isMember)
    return { action: 'delete', snapshotId };
  return metadata.finalizers?.includes(snapshotFinalizers.content) ? { action: 'release' } : { action: 'ignore' };
};

/** Decides by the content's own state, as the upstream csi-snapshotter does. */
export const decideContent = (content: VolumeSnapshotContent): ContentDecision => {
  const { spec, status, metadata } = content;
  if (spec.driver !== driverName) return { action: 'ignore' };
  const { volumeHandle, snapshotHandle } = spec.source;
  const creating = isMarked(content, snapshotAnnotations.beingCreated);
  // Whether a snapshot exists must be known before it can be deleted.
  if (metadata.deletionTimestamp && !(creating && volumeHandle !== undefined && !status?.snapshotHandle))
    return decideDeletion(content);
  if (status?.readyToUse) return creating ? { action: 'unmark' } : { action: 'ignore' };
  if (snapshotHandle !== undefined) return { action: 'look', snapshotId: snapshotHandle };
  if (volumeHandle === undefined || isMarked(content, snapshotAnnotations.group)) return { action: 'ignore' };
  return { action: 'create', volumeId: volumeHandle };
};
