import type { AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { timestamp } from '@vdo/kube/conditions';
import type { Reconcile, ReconcileResult } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import type { Informer } from '@vdo/kube/informer';
import {
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumeSnapshotContents,
} from '@vdo/kube/types/snapshots';
import type { CallContext } from '../../volumes/call-context.ts';
import type { PermitSnapshotDeletion } from '../../volumes/permissions.ts';
import type { Snapshot } from '../../volumes/snapshot-service.ts';
import { mbToBytes } from '../../volumes/volume-size.ts';
import type { Volumes } from '../../volumes/volumes.ts';
import { eventMessage, recheckLater } from '../event-message.ts';
import { decideContent } from './decide-content.ts';
import { snapshotAnnotations, snapshotFinalizers } from './snapshot-names.ts';

export interface ContentKeeperDeps {
  readonly kube: KubeClient;
  /** Index `handle`. */
  readonly contents: Informer<VolumeSnapshotContent>;
  readonly classes: Informer<VolumeSnapshotClass>;
  readonly volumes: Pick<Volumes, 'createSnapshot' | 'deleteSnapshot' | 'listSnapshots'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly actLog: AttemptDeps['log'];
  readonly soleUse: AttemptDeps['soleUse'];
  readonly clock: Clock;
  readonly random: Random;
}

/** How soon a content that was deleted meanwhile is processed again. By then the watch must have delivered the present write. */
const deletedMs = 1_000;
const nanosecondsPerMs = 1_000_000;

const classMissing = (content: VolumeSnapshotContent): VdoError => {
  const { volumeSnapshotClassName: name, volumeSnapshotRef: ref } = content.spec;
  return new VdoError({
    code: 'KubeNotFound',
    message: name
      ? `VolumeSnapshotClass ${name} does not exist`
      : `VolumeSnapshotContent ${content.metadata.name} has no VolumeSnapshotClass`,
    remedy: name
      ? `Create VolumeSnapshotClass ${name}, or re-create VolumeSnapshot ${ref.namespace}/${ref.name} with another class.`
      : 'Set spec.volumeSnapshotClassName to a class of this driver.',
    retry: 'on-change',
  });
};

const snapshotMissing = (id: string): VdoError =>
  new VdoError({
    code: 'SnapshotNotFound',
    message: `vCenter has no snapshot ${id}`,
    remedy: 'Correct spec.source.snapshotHandle. Its form is <volume ID>+<snapshot ID>.',
    retry: 'on-change',
  });

const changed = (name: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `the finalizer of VolumeSnapshotContent ${name} must no longer be removed`,
    remedy: 'No action needed: it is processed again.',
  });

/** If the deletion of the content was seen before, it has waited for the snapshot. */
const nextCheck = ({ metadata }: VolumeSnapshotContent): ReconcileResult | undefined =>
  metadata.deletionTimestamp ? { requeueAfterMs: deletedMs } : undefined;

/** Creates, finds and deletes the snapshots of VolumeSnapshotContents. */
export const createContentKeeper = (deps: ContentKeeperDeps): Reconcile => {
  const { kube, contents, classes, volumes, events, fence, clock, random, soleUse, actLog: log } = deps;
  const proof = createCacheProof({ client: kube, clock, informer: contents, resource: volumeSnapshotContents });
  const patch = (content: VolumeSnapshotContent, body: unknown, signal: AbortSignal, subresource?: 'status') =>
    kube.patch(
      volumeSnapshotContents,
      { name: content.metadata.name ?? '' },
      { type: 'merge', body },
      { signal, ...(subresource ? { subresource } : {}) },
    );
  const { beingCreated } = snapshotAnnotations;
  const mark = (content: VolumeSnapshotContent, signal: AbortSignal) =>
    patch(content, { metadata: { annotations: { [beingCreated]: 'yes' } } }, signal);
  /** The content as it was last written. A mark that was added later belongs to another process that is creating the snapshot. */
  const unmark = (content: VolumeSnapshotContent, signal: AbortSignal) => {
    const { resourceVersion } = content.metadata;
    return patch(content, { metadata: { resourceVersion, annotations: { [beingCreated]: null } } }, signal);
  };

  const report = (content: VolumeSnapshotContent, snapshot: Snapshot, signal: AbortSignal) => {
    const { id, sizeMb, createdAt } = snapshot;
    const found = {
      snapshotHandle: id,
      // CNS replies only after the snapshot is ready to use.
      readyToUse: true,
      creationTime: createdAt.getTime() * nanosecondsPerMs,
      ...(sizeMb > 0n ? { restoreSize: Number(mbToBytes(sizeMb)) } : {}),
    };
    return patch(content, { status: { ...found, error: null } }, signal, 'status');
  };

  const take = async (content: VolumeSnapshotContent, volumeId: string, signal: AbortSignal): Promise<Snapshot> => {
    const snapshotClass = classes.get(content.spec.volumeSnapshotClassName ?? '');
    if (!snapshotClass) throw classMissing(content);
    // Also if the cached object has the mark: it may have been removed since, and without a mark a deletion would not wait.
    const marked = await mark(content, signal);
    const name = `snapshot-${content.spec.volumeSnapshotRef.uid ?? ''}`;
    try {
      return await volumes.createSnapshot({ name, volumeId }, { signal, lifetime: signal, fence });
    } catch (cause) {
      const error = toVdoError(cause);
      if (!signal.aborted && error.effect === 'none')
        await unmark(marked, signal).catch((conflict) => {
          if (!isVdoError(conflict, 'KubeConflict')) throw conflict;
        });
      throw error;
    }
  };

  const observe = async (snapshotId: string, signal: AbortSignal): Promise<Snapshot> => {
    const [found] = await volumes.listSnapshots({ snapshotId }, { signal, lifetime: signal, fence });
    if (!found) throw snapshotMissing(snapshotId);
    return found;
  };

  // A decision that was based on the cache, or made minutes ago, is made again with the object from the API server.
  const release = async ({ metadata: { name = '', uid } }: VolumeSnapshotContent, signal: AbortSignal) => {
    const about = { act: 'let VolumeSnapshotContent go', subject: name, signal };
    const attempt = beginAttempt({ client: kube, clock, random, fence, log, soleUse }, about);
    const seen = await attempt.read(volumeSnapshotContents, { name });
    if (seen.kind === 'absent' || seen.uid !== uid) return;
    if (decideContent(seen.object).action !== 'release') throw changed(name);
    await removeFinalizer(attempt, seen, { finalizer: snapshotFinalizers.content, because: [] });
  };

  // The write fails if the content is not the version that was decided about. Its resourceVersion is the one that the cache must reach before
  // // it is certain to know every other content with the same snapshot.
  const permitting =
    ({ metadata }: VolumeSnapshotContent, snapshotId: string, signal: AbortSignal): PermitSnapshotDeletion =>
    async (attempt, instanceUuid) => {
      const { name = '', uid = '', resourceVersion = '' } = metadata;
      const notes = {
        [annotationKeys.deletionAttempt]: attempt.id,
        [annotationKeys.vcenterInstance]: metadata.annotations?.[annotationKeys.vcenterInstance] ?? instanceUuid,
      };
      const known = { key: { name }, uid, resourceVersion };
      const written = await attempt
        .readByWriting(volumeSnapshotContents, known, { metadata: { annotations: notes } })
        .catch((error) => {
          if (isVdoError(error, 'KubeConflict')) contents.doubt();
          throw error;
        });
      if (written.kind === 'absent') throw changed(name);
      const decision = decideContent(written.object);
      if (decision.action !== 'delete' || decision.snapshotId !== snapshotId) throw changed(name);
      return { content: written, current: await proof.since(written, { signal }) };
    };

  const remove = async (content: VolumeSnapshotContent, snapshotId: string, signal: AbortSignal): Promise<void> => {
    const permitSnapshotDeletion = permitting(content, snapshotId, signal);
    const context: CallContext = { signal, lifetime: signal, fence, permitSnapshotDeletion };
    await volumes.deleteSnapshot(snapshotId, context);
    // In this order: until the snapshot is deleted, the status keeps its ID.
    const gone = { snapshotHandle: null, readyToUse: null, creationTime: null, restoreSize: null };
    await release(await patch(content, { status: gone }, signal, 'status'), signal);
  };

  const fail = async (content: VolumeSnapshotContent, action: string, cause: unknown, signal: AbortSignal) => {
    const error = toVdoError(cause);
    if (signal.aborted || isVdoError(error, 'KubeConflict', 'EvidenceMissing')) throw error;
    const deleting = action === 'delete' || action === 'release';
    const reason = deleting
      ? 'SnapshotDeleteError'
      : action === 'look'
        ? 'SnapshotContentCheckandUpdateFailed'
        : 'SnapshotCreationFailed';
    const message = eventMessage(error);
    events.record(content, { type: 'Warning', reason, message });
    if (!deleting && content.status?.error?.message !== message) {
      const reported = { time: timestamp(clock.now()), message };
      await patch(content, { status: { readyToUse: false, error: reported } }, signal, 'status');
    }
    throw recheckLater(error);
  };

  return async (key, { signal }) => {
    const content = contents.get(key);
    if (!content) return undefined;
    const decision = decideContent(content);
    try {
      if (decision.action === 'delete') await remove(content, decision.snapshotId, signal);
      if (decision.action === 'release') await release(content, signal);
      if (decision.action === 'unmark') await unmark(content, signal);
      if (decision.action !== 'create' && decision.action !== 'look') return undefined;
      const snapshot =
        decision.action === 'create'
          ? await take(content, decision.volumeId, signal)
          : await observe(decision.snapshotId, signal);
      const reported = await report(content, snapshot, signal);
      if (decision.action === 'create') await unmark(reported, signal);
      return nextCheck(content);
    } catch (error) {
      return fail(content, decision.action, error, signal);
    }
  };
};
