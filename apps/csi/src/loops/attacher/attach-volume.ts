import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import type { Logger } from '@vdo/base/logger';
import { effectOf, toVdoError, VdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { timestamp } from '@vdo/kube/conditions';
import type { Reconcile, ReconcileResult } from '@vdo/kube/controller';
import type { Term } from '@vdo/kube/leader-election';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import { csiNodes, nodeIdAnnotation, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { contextKeys } from '../../driver.ts';
import { isStillComing } from '../../volumes/attach-doubts.ts';
import { parseVolumeId } from '../../volumes/volume-id.ts';
import type { Volumes } from '../../volumes/volumes.ts';
import { eventMessage } from '../event-message.ts';
import { createOwnWrites } from '../own-writes.ts';
import { widestUseOf } from '../volume-use.ts';
import {
  type AttachmentDecision,
  type AttachmentQuestion,
  addressNoteOf,
  attacherFinalizer,
  decideAttachment,
} from './decide-attachment.ts';
import { createDetachVolume, type DetachVolumeDeps, type Unpublish } from './detach-volume.ts';
import { isFirstUse } from './first-use.ts';
import { createTaskNote } from './task-note.ts';
import { wasAttached } from './was-attached.ts';

export interface AttachVolumeDeps extends DetachVolumeDeps {
  readonly kube: KubeClient;
  readonly volumes: Pick<Volumes, 'controllerPublishVolume' | 'controllerUnpublishVolume'>;
  readonly term: Term;
  readonly logger: Logger;
}

export interface VolumeAttacher {
  readonly reconcile: Reconcile;
  /** False if the outcome of a request of this term, or of an earlier leader's request that it knows of, is unknown. */
  isSettled(): boolean;
  /** Whether an attachment is as this term left it, or no operation on it is in progress. */
  answersFor(attachment: VolumeAttachment): boolean;
}

interface Known {
  readonly uid: string;
  /** When this term first saw the attachment. */
  readonly metMs: number;
  /** An earlier leader may have been attaching or detaching the disk when this term began. */
  readonly takenOver: boolean;
  /** At that time it was neither attached nor being deleted, so an earlier leader may have been attaching it. */
  readonly wasComing: boolean;
  /** No request was sent to vCenter for it before this term. */
  begunHere: boolean;
  /** The outcome of the last request is not known. */
  isOpen: boolean;
  /** When it was first seen that vCenter may still be working on it; undefined if it is not. */
  comingSinceMs?: number | undefined;
}

/**
 * How soon a disk that vCenter may still be attaching is checked again: after a fifth of the time since the doubt began. Each check costs
 * vCenter about six calls, and a task that vCenter no longer knows stays in doubt for minutes.
 */
const recheckMs = (goneOnMs: number): number => Math.min(30_000, Math.max(5_000, goneOnMs / 5));

/** Whether a request to attach or detach it may have been sent to vCenter. */
const isUnderWay = ({ metadata, status }: VolumeAttachment): boolean =>
  metadata.finalizers?.includes(attacherFinalizer) === true &&
  (metadata.deletionTimestamp !== undefined || !status?.attached);

const deletedMeanwhile = (name: string): VdoError =>
  new VdoError({
    code: 'KubeConflict',
    message: `VolumeAttachment ${name} was deleted after the controller cached it`,
    remedy: 'No action needed: it is processed again when the watch of VolumeAttachments has caught up.',
  });

/** Processes VolumeAttachments as the upstream csi-attacher does. */
export const createVolumeAttacher = (deps: AttachVolumeDeps): VolumeAttacher => {
  const { kube, informers, volumes, evidence, detachEvidence, fence, clock, term, logger } = deps;
  const ownWrites = createOwnWrites();
  const known = new Map<string, Known>();
  /** An attachment was deleted while the outcome of its last request was not known. */
  let isSomeLost = false;
  /** What this term knows about an attachment since it first saw it. */
  const know = (attachment: VolumeAttachment): Known => {
    const { uid = '' } = attachment.metadata;
    const before = known.get(keyOf(attachment));
    if (before?.uid === uid) return before;
    forget(keyOf(attachment));
    const takenOver = isUnderWay(attachment) && !term.inheritsSettled;
    const wasComing = takenOver && !attachment.metadata.deletionTimestamp;
    const now = { uid, metMs: clock.monotonicMs(), takenOver, wasComing, begunHere: false, isOpen: takenOver };
    known.set(keyOf(attachment), now);
    return now;
  };
  const forget = (key: string): void => {
    isSomeLost ||= known.get(key)?.isOpen === true;
    known.delete(key);
  };
  /** Sends a request to vCenter, and remembers it while the outcome is not known. */
  const asking = async <T>(own: Known, work: () => Promise<T>): Promise<T> => {
    own.isOpen = true;
    try {
      const answer = await work();
      own.isOpen = own.takenOver;
      return answer;
    } catch (error) {
      own.isOpen = own.takenOver || isStillComing(error) || effectOf(error) === 'unknown';
      throw error;
    }
  };
  const patch = (attachment: VolumeAttachment, body: unknown, signal: AbortSignal, subresource?: string) =>
    kube.patch(
      volumeAttachments,
      { name: attachment.metadata.name ?? '' },
      { type: 'merge', body },
      { signal, ...(subresource ? { subresource } : {}) },
    );
  const patchStatus = (attachment: VolumeAttachment, status: unknown, signal: AbortSignal) =>
    patch(attachment, { status }, signal, 'status');

  const isShare = ({ spec }: PersistentVolume) => parseVolumeId(spec.csi?.volumeHandle ?? '')?.kind === 'file';

  /**
   * For a file share, before anything is done: records the Node's addresses that will get access. An attachment that is not attached yet is
   * retried until they have access. For one that is attached, the old record stays until then, so that it is retried, too.
   */
  const shareNote = (attachment: VolumeAttachment, volume: PersistentVolume): Readonly<Record<string, string>> => {
    if (!isShare(volume)) return {};
    const key = annotationKeys.shareAddressesOf;
    const before = attachment.status?.attached ? (attachment.metadata.annotations?.[key] ?? '') : undefined;
    return { [key]: before ?? addressNoteOf(informers.nodes.get(attachment.spec.nodeName)) };
  };

  /** If nothing is written that would fail, the cache may not know yet that the attachment was deleted. The disk would then never be detached. */
  const assertWanted = async ({ metadata }: VolumeAttachment, signal: AbortSignal): Promise<void> => {
    const { name = '', uid } = metadata;
    const now = await kube.find(volumeAttachments, { name }, { signal });
    if (now?.metadata.uid !== uid || now?.metadata.deletionTimestamp) throw deletedMeanwhile(name);
  };

  // Both objects get a finalizer before the disk is attached, so that neither can disappear while it is attached.
  const hold = async (attachment: VolumeAttachment, volume: PersistentVolume, nodeId: string, signal: AbortSignal) => {
    const { name = '', resourceVersion, finalizers = [] } = volume.metadata;
    if (!finalizers.includes(attacherFinalizer)) {
      const { uid } = attachment.metadata;
      // The annotation shows later that data may have been written to the disk.
      const annotations = {
        [annotationKeys.firstAttachment]: volume.metadata.annotations?.[annotationKeys.firstAttachment] ?? uid,
      };
      const metadata = { resourceVersion, annotations, finalizers: [...finalizers, attacherFinalizer] };
      await kube.patch(persistentVolumes, { name }, { type: 'merge', body: { metadata } }, { signal });
    }
    const own = attachment.metadata.finalizers ?? [];
    const { annotations: noted = {} } = attachment.metadata;
    const annotations = {
      [nodeIdAnnotation]: nodeId,
      [annotationKeys.volumeHandle]: volume.spec.csi?.volumeHandle ?? '',
      ...shareNote(attachment, volume),
    };
    const isNoted = Object.entries(annotations).every(([key, value]) => noted[key] === value);
    if (own.includes(attacherFinalizer) && isNoted) {
      await assertWanted(attachment, signal);
      return;
    }
    const metadata = {
      resourceVersion: attachment.metadata.resourceVersion,
      finalizers: [...new Set([...own, attacherFinalizer])],
      annotations,
    };
    await patch(attachment, { metadata }, signal);
    // The finalizer is always set before vCenter is asked.
    if (!own.includes(attacherFinalizer)) know(attachment).begunHere = true;
  };

  /** Undefined if the volume is detached from the node, otherwise when to check again. */
  const unpublish: Unpublish = async (detaching, { volumeId, nodeId }, signal) => {
    const attachment = detaching.attachment.object;
    const own = know(attachment);
    const { takenOver, wasComing, begunHere, metMs } = own;
    const isInherited = attachment.metadata.finalizers?.includes(attacherFinalizer) && !begunHere;
    // A disk that was seen attached is no longer being attached, unless a reply was lost before. This process knows which of its own replies
    // // were lost, and it can see a running task of an earlier leader. But an operation that was in progress when this process became leader
    // // may still be running, even if this process has done the same operation since.
    const mayBeForgotten = wasComing || !wasAttached(attachment);
    const mayArrive = mayBeForgotten || takenOver;
    const isOpen = isInherited && !term.inheritsSettled;
    const inherited = isOpen ? { mayBeUnderWay: { metMs, mayBeForgotten, mayArrive } } : {};
    const context = { signal, lifetime: signal, fence, detaching, ...inherited };
    try {
      await asking(own, () => volumes.controllerUnpublishVolume({ volumeId, nodeId: nodeId || undefined }, context));
      own.isOpen = false;
      own.comingSinceMs = undefined;
      return undefined;
    } catch (error) {
      if (!isStillComing(error)) throw error;
      own.comingSinceMs ??= clock.monotonicMs();
      return { requeueAfterMs: recheckMs(clock.monotonicMs() - own.comingSinceMs) };
    }
  };

  /** Detaches the disk from the VM that had the node's name before. Undefined if the attachment was deleted meanwhile. */
  const leaveFormer = async (
    known: VolumeAttachment,
    disk: { readonly volumeId: string; readonly nodeId: string },
    signal: AbortSignal,
  ): Promise<{ readonly attachment: VolumeAttachment; readonly later: ReconcileResult | undefined } | undefined> => {
    const context = { signal, lifetime: signal, fence };
    const attempt = evidence.begin('detach', known.metadata.name ?? '', context);
    const permit = await detachEvidence.permit(attempt, known, context);
    return permit && { attachment: permit.attachment.object, later: await unpublish(permit, disk, signal) };
  };

  const attach = async (
    known: VolumeAttachment,
    { volume, nodeId, formerNodeId }: Extract<AttachmentDecision, { readonly action: 'attach' }>,
    signal: AbortSignal,
  ): Promise<ReconcileResult | undefined> => {
    const { csi } = volume.spec;
    // While the annotation names the earlier VM, it is known where the disk may be.
    const former = { volumeId: csi?.volumeHandle ?? '', nodeId: formerNodeId ?? '' };
    const left =
      formerNodeId === undefined ? { attachment: known, later: undefined } : await leaveFormer(known, former, signal);
    if (!left || left.later) return left?.later;
    const { attachment } = left;
    const firstUse = isFirstUse(volume, attachment);
    const addresses = addressNoteOf(informers.nodes.get(attachment.spec.nodeName));
    await hold(attachment, volume, nodeId, signal);
    const wanted = {
      volumeId: csi?.volumeHandle ?? '',
      nodeId,
      use: widestUseOf(volume.spec, csi?.fsType ?? ''),
      readOnly: csi?.readOnly ?? false,
      volumeContext: csi?.volumeAttributes,
    };
    const note = createTaskNote({
      clock,
      fence,
      logger,
      name: attachment.metadata.name ?? '',
      write: (value) =>
        patch(
          attachment,
          { metadata: { uid: attachment.metadata.uid, annotations: { [annotationKeys.attachTask]: value } } },
          signal,
        ),
    });
    const context = { signal, lifetime: signal, fence, onTask: note.onTask };
    const publishContext = await asking(know(attachment), () =>
      volumes.controllerPublishVolume(wanted, context).finally(note.settle),
    );
    if (isShare(volume) && attachment.status?.attached) {
      const annotations = { [annotationKeys.shareAddressesOf]: addresses };
      await patch(attachment, { metadata: { uid: attachment.metadata.uid, annotations } }, signal);
    }
    const attachmentMetadata = { ...publishContext, ...(firstUse ? { [contextKeys.firstUse]: 'true' } : {}) };
    const status = { attached: true, attachmentMetadata, attachError: null };
    ownWrites.note(keyOf(attachment), await patchStatus(attachment, status, signal));
    return undefined;
  };

  const report = async (attachment: VolumeAttachment, cause: unknown, signal: AbortSignal): Promise<never> => {
    const error = toVdoError(cause);
    if (signal.aborted || error.code === 'KubeConflict') throw error;
    const field = attachment.metadata.deletionTimestamp ? 'detachError' : 'attachError';
    const time = timestamp(clock.now());
    // The status must contain `attached` whenever it is written.
    const attached = attachment.status?.attached ?? false;
    await patchStatus(attachment, { attached, [field]: { message: eventMessage(error), time } }, signal);
    throw error;
  };

  const note = (attachment: VolumeAttachment, volumeId: string, signal: AbortSignal) => {
    const { resourceVersion } = attachment.metadata;
    const annotations = { [annotationKeys.volumeHandle]: volumeId };
    return patch(attachment, { metadata: { resourceVersion, annotations } }, signal);
  };

  const detach = createDetachVolume(deps, { ownWrites, unpublish });
  // One operation per volume at a time: otherwise one attachment could detach the disk that another has just found attached.
  const locks = createKeyedLock();

  const decide = async (attachment: VolumeAttachment, signal: AbortSignal): Promise<AttachmentDecision> => {
    const question: AttachmentQuestion = {
      attachment,
      findVolume: (name) => informers.volumes.get(name),
      findCsiNode: (name) => informers.csiNodes.get(name),
      findNode: (name) => informers.nodes.get(name),
    };
    const decision = decideAttachment(question);
    if (decision.action !== 'attach') return decision;
    // The cache may be outdated: it may still have the VM that had the node's name before.
    const csiNode = await kube.find(csiNodes, { name: attachment.spec.nodeName }, { signal });
    return decideAttachment({ ...question, findCsiNode: () => csiNode });
  };

  const reconcile = async (key: string, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    const attachment = informers.attachments.get(key);
    if (!attachment) {
      ownWrites.forget(key);
      forget(key);
      return undefined;
    }
    know(attachment);
    // The watch delivers the last write, and the attachment is then processed again.
    if (ownWrites.isOutdated(key, attachment)) return undefined;
    try {
      const decision = await decide(attachment, signal);
      if (decision.action === 'attach') return await attach(attachment, decision, signal);
      if (decision.action === 'detach') return await detach(attachment, signal);
      if (decision.action === 'note') await note(attachment, decision.volumeId, signal);
    } catch (error) {
      return report(attachment, error, signal);
    }
    return undefined;
  };

  return {
    reconcile: (key, { signal }) => {
      const volume = informers.attachments.get(key)?.spec.source.persistentVolumeName ?? '';
      return locks.run(volume, () => reconcile(key, signal));
    },
    isSettled: () => !isSomeLost && [...known.values()].every(({ isOpen }) => !isOpen),
    answersFor: (attachment) =>
      !isUnderWay(attachment) || known.get(keyOf(attachment))?.uid === attachment.metadata.uid,
  };
};
