import type { Reconcile } from '@vdo/kube/controller';
import { addFinalizer, hasFinalizer, removeFinalizer } from '@vdo/kube/finalizers';
import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { volumeSnapshotContents } from '@vdo/kube/types/snapshots';
import { snapshotAnnotations, snapshotFinalizers } from '../snapshots/snapshot-names.ts';
import type { SnapshotBinderDeps } from './snapshot-binder.ts';

/** Lets a claim go when no snapshot of it is being taken any more. */
export const createClaimReleaser =
  ({ kube, claims, snapshots }: Pick<SnapshotBinderDeps, 'kube' | 'claims' | 'snapshots'>): Reconcile =>
  async (key, { signal }) => {
    const claim = claims.get(key);
    if (!claim || !hasFinalizer(claim, snapshotFinalizers.claim)) return undefined;
    if (snapshots.snapshots.byIndex('claim', key).some(({ status }) => !status?.readyToUse)) return undefined;
    await removeFinalizer(kube, persistentVolumeClaims, claim, { finalizer: snapshotFinalizers.claim, signal });
    return undefined;
  };

/** Keeps a bound content until its snapshot is deleted, and tells it when that one is going. */
export const createContentGuard =
  ({ kube, snapshots }: Pick<SnapshotBinderDeps, 'kube' | 'snapshots'>): Reconcile =>
  async (key, { signal }) => {
    const content = snapshots.contents.get(key);
    const { uid, name, namespace } = content?.spec.volumeSnapshotRef ?? {};
    if (!content || !uid) return undefined;
    if (!content.metadata.deletionTimestamp && !hasFinalizer(content, snapshotFinalizers.content))
      await addFinalizer(kube, volumeSnapshotContents, content, { finalizer: snapshotFinalizers.content, signal });
    const snapshot = snapshots.snapshots.get(`${namespace}/${name}`);
    const going = snapshot?.metadata.uid === uid && snapshot.metadata.deletionTimestamp !== undefined;
    if (!going || content.metadata.annotations?.[snapshotAnnotations.beingDeleted]) return undefined;
    const guarded = snapshot.metadata.finalizers?.some(
      (one) => one === snapshotFinalizers.asSource || one === snapshotFinalizers.bound,
    );
    if (!guarded) return undefined;
    const body = { metadata: { annotations: { [snapshotAnnotations.beingDeleted]: 'yes' } } };
    await kube.patch(volumeSnapshotContents, { name: key }, { type: 'merge', body }, { signal });
    return undefined;
  };
