import { beginAttempt } from '@vdo/acts/begin-attempt';
import { deleteSnapshotContent } from '@vdo/acts/objects/delete-snapshot-content';
import { withoutClusterId } from '@vdo/acts/sole-use';
import type { Reconcile } from '@vdo/kube/controller';
import { type VolumeSnapshotContent, volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import type { SnapshotBinderDeps } from './snapshot-binder.ts';
import { snapshotAnnotations } from './snapshot-names.ts';

/** Made for a snapshot by a controller like this, to go with it. What people made themselves is theirs to delete. */
const isMadeFor = ({ metadata, spec }: VolumeSnapshotContent, uid: string): boolean =>
  metadata.name === `snapcontent-${uid}` && spec.source.volumeHandle !== undefined && spec.deletionPolicy === 'Delete';

/** Deletes contents whose snapshot is gone: they were made while it went, or its finalizers were taken off by hand. */
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
    // Whoever holds the driver deletes the snapshot itself only after this mark.
    const seen = content.metadata.annotations?.[snapshotAnnotations.beingDeleted]
      ? await attempt.read(volumeSnapshotContents, { name: key })
      : await attempt.readByWriting(volumeSnapshotContents, known, change);
    if (seen.kind === 'seen' && seen.uid === contentUid) await deleteSnapshotContent(attempt, seen, [owner]);
    return undefined;
  };
