import type { Attempt, AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import type { Absent, Found, Seen } from '@vdo/acts/evidence';
import { deleteSnapshotContent } from '@vdo/acts/objects/delete-snapshot-content';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { createCacheProof } from '@vdo/acts/proven-cache';
import { withoutClusterId } from '@vdo/acts/sole-use';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import type { Informer } from '@vdo/kube/informer';
import { type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import {
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumeSnapshotContents,
  volumeSnapshots,
} from '@vdo/kube/types/snapshots';
import { boundContentOf, decideSnapshot, type SnapshotDecision } from './decide-snapshot.ts';
import { snapshotAnnotations } from './snapshot-names.ts';

export interface SnapshotRemoverDeps {
  readonly kube: KubeClient;
  /** Index `snapshot`: the snapshot that claims are restored from. */
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly clock: Clock;
  readonly random: Random;
  readonly fence: Fence;
  readonly actLog: AttemptDeps['log'];
}

type Deletion = Extract<SnapshotDecision, { readonly action: 'delete' }>;

interface Sight {
  readonly snapshot: Seen<VolumeSnapshot>;
  readonly content: Seen<VolumeSnapshotContent> | Absent<VolumeSnapshotContent>;
  /** Claims with the snapshot as their source; read only if there is a content that they may need. */
  readonly restoring: Found<PersistentVolumeClaim> | undefined;
}

/**
 * Removes the finalizers of a VolumeSnapshot that is being deleted, and deletes its content. If the cache has no content, or no claim that is
 * being restored, this does not prove that there is none.
 */
export const createSnapshotRemover = (deps: SnapshotRemoverDeps) => {
  const { kube: client, claims, clock, random, fence, actLog: log } = deps;
  const proof = createCacheProof({ client, clock, informer: claims, resource: persistentVolumeClaims });

  const observe = async (
    attempt: Attempt,
    { metadata }: VolumeSnapshot,
    signal: AbortSignal,
  ): Promise<Sight | undefined> => {
    const { name = '', namespace = '', uid } = metadata;
    const snapshot = await attempt.read(volumeSnapshots, { name, namespace });
    if (snapshot.kind === 'absent' || snapshot.uid !== uid) return undefined;
    const content = await attempt.read(volumeSnapshotContents, { name: boundContentOf(snapshot.object) });
    if (content.kind === 'absent') return { snapshot, content, restoring: undefined };
    const current = await proof.current(attempt, { signal });
    return { snapshot, content, restoring: current.byIndex('snapshot', `${namespace}/${name}`) };
  };

  const decide = ({ snapshot, content, restoring }: Sight): SnapshotDecision =>
    decideSnapshot({
      snapshot: snapshot.object,
      findContent: () => (content.kind === 'seen' ? content.object : undefined),
      findClaim: () => undefined,
      findVolume: () => undefined,
      classes: [],
      restoring: (restoring?.objects ?? []).filter(({ status }) => status?.phase === 'Pending'),
    });

  const deleteContent = async (attempt: Attempt, { snapshot, content, restoring }: Sight): Promise<void> => {
    if (content.kind === 'absent') return;
    const { key, uid, resourceVersion, object } = content;
    const mark = { metadata: { annotations: { [snapshotAnnotations.beingDeleted]: 'yes' } } };
    // The driver deletes the snapshot in vCenter only after this mark is set.
    const marked = object.metadata.annotations?.[snapshotAnnotations.beingDeleted]
      ? content
      : await attempt.readByWriting(volumeSnapshotContents, { key, uid, resourceVersion }, mark);
    if (marked.kind === 'absent' || object.spec.deletionPolicy !== 'Delete' || object.metadata.deletionTimestamp)
      return;
    await deleteSnapshotContent(attempt, marked, [snapshot, ...(restoring ? [restoring] : [])]);
  };

  const apply = async (attempt: Attempt, sight: Sight, { content, released }: Deletion): Promise<void> => {
    const { snapshot, restoring } = sight;
    // A content that does not refer back to the snapshot belongs to another one.
    if (content) await deleteContent(attempt, sight);
    const because = [sight.content, ...(restoring ? [restoring] : [])];
    await removeFinalizer(attempt, snapshot, { finalizer: released, because });
  };

  /** The decision that was carried out, or that is left to the caller; undefined if the snapshot no longer exists. */
  return async (cached: VolumeSnapshot, signal: AbortSignal): Promise<SnapshotDecision | undefined> => {
    const about = { act: 'let VolumeSnapshot go', subject: keyOf(cached), signal };
    const attempt = beginAttempt({ client, clock, random, fence, log, soleUse: withoutClusterId }, about);
    const sight = await observe(attempt, cached, signal);
    if (!sight) return undefined;
    const decision = decide(sight);
    if (decision.action === 'delete') await apply(attempt, sight, decision);
    return decision;
  };
};
