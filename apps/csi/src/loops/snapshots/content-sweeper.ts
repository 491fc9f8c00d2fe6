import { beginAttempt } from '@vdo/acts/begin-attempt';
import { deleteSnapshotContent } from '@vdo/acts/objects/delete-snapshot-content';
import { withoutClusterId } from '@vdo/acts/sole-use';
import type { Reconcile } from '@vdo/kube/controller';
import { type VolumeSnapshotContent, volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import type { SnapshotBinderDeps } from './snapshot-binder.ts';
import { snapshotAnnotations } from './snapshot-names.ts';

/** Created for a snapshot by a snapshot controller, and deleted with it. Contents that people created are not deleted. */
const isMadeFor = ({ metadata, spec }: VolumeSnapshotContent, uid: string): boolean =>
  metadata.name === `snapcontent-${uid}` && spec.source.volumeHandle !== undefined && spec.deletionPolicy === 'Delete';

/** Deletes contents whose VolumeSnapshot no longer exists: it was deleted while they were created, or its finalizers were removed by hand. */
export const createContentSweeper =
  (deps: Pick<SnapshotBinderDeps, 'kube' | 'snapshots' | 'clock' | 'random' | 'fence' | 'actLog'>): Reconcile =>
  async (key, { signal }) => {
    const { kube: client, snapshots, clock, random, fence, actLog: log } = deps;
    const content = snapshots.contents.get(key);
    const { uid, name = '', namespace = '' } = content?.spec.volumeSnapshotRef ?? {};
    if (!content || !uid || content.metadata.deletionTimestamp || !isMadeFor(content, uid)) return undefined;
    if (snapshots.snapshots.get(`${namespace}/${name}`)?.metadata.uid === uid) return undefined;
    const attempt = beginAttempt(
      { client, clock, random, fence, log, soleUse: withoutClusterId },
      { act: 'delete VolumeSnapshotContent', subject: key, signal },
    );
    const owner = await attempt.read(volumeSnapshots, { name, namespace });
    if (owner.kind === 'seen' && owner.uid === uid) return undefined;
    const { uid: contentUid = '', resourceVersion = '' } = content.metadata;
    const change = { metadata: { annotations: { [snapshotAnnotations.beingDeleted]: 'yes' } } };
    const known = { key: { name: key }, uid: contentUid, resourceVersion };
    // The driver deletes the snapshot in vCenter only after this mark is set.
    const seen = content.metadata.annotations?.[snapshotAnnotations.beingDeleted]
      ? await attempt.read(volumeSnapshotContents, { name: key })
      : await attempt.readByWriting(volumeSnapshotContents, known, change);
    if (seen.kind === 'seen' && seen.uid === contentUid) await deleteSnapshotContent(attempt, seen, [owner]);
    return undefined;
  };
