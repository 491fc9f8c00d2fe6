import { beginAttempt } from '@vdo/acts/begin-attempt';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { createCacheProof } from '@vdo/acts/proven-cache';
import { withoutClusterId } from '@vdo/acts/sole-use';
import type { Reconcile } from '@vdo/kube/controller';
import { addFinalizer, hasFinalizer } from '@vdo/kube/finalizers';
import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { type VolumeSnapshot, volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import type { SnapshotBinderDeps } from './snapshot-binder.ts';
import { snapshotAnnotations, snapshotFinalizers } from './snapshot-names.ts';

const finalizer = snapshotFinalizers.claim;

const isBeingTaken = ({ status }: VolumeSnapshot): boolean => !status?.readyToUse;

/** Removes the finalizer of a claim when no snapshot of it is being created any more. */
export const createClaimReleaser = (
  deps: Pick<SnapshotBinderDeps, 'kube' | 'claims' | 'snapshots' | 'clock' | 'random' | 'fence' | 'actLog'>,
): Reconcile => {
  const { kube: client, claims, clock, random, fence, actLog: log } = deps;
  const { snapshots } = deps.snapshots;
  const proof = createCacheProof({ client, clock, informer: snapshots, resource: volumeSnapshots });
  return async (key, { signal }) => {
    const claim = claims.get(key);
    if (!claim || !hasFinalizer(claim, finalizer) || snapshots.byIndex('claim', key).some(isBeingTaken))
      return undefined;
    const { name = '', namespace = '', uid } = claim.metadata;
    const attempt = beginAttempt(
      { client, clock, random, fence, log, soleUse: withoutClusterId },
      { act: 'let the source of snapshots go', subject: key, signal },
    );
    const taken = (await proof.current(attempt, { signal })).byIndex('claim', key);
    const seen = await attempt.read(persistentVolumeClaims, { name, namespace });
    if (seen.kind === 'absent' || seen.uid !== uid || taken.objects.some(isBeingTaken)) return undefined;
    await removeFinalizer(attempt, seen, { finalizer, because: [taken] });
    return undefined;
  };
};

/** Keeps a bound content until its VolumeSnapshot is deleted, and marks it when that one is being deleted. */
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
