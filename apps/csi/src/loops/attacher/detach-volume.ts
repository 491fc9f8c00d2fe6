import { evidenceLivesMs } from '@vdo/acts/act-log';
import type { Attempt } from '@vdo/acts/attempt';
import type { Evidence, Seen } from '@vdo/acts/evidence';
import { markDetached } from '@vdo/acts/objects/mark-detached';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import { VdoError } from '@vdo/base/vdo-error';
import type { ReconcileResult } from '@vdo/kube/controller';
import { persistentVolumes } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import { nodeIdAnnotation, type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import type { ClusterEvidence } from '../../volumes/cluster-evidence.ts';
import type { DetachEvidence } from '../../volumes/detach-evidence.ts';
import type { DetachPermit } from '../../volumes/permissions.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import type { OwnWrites } from '../own-writes.ts';
import { attacherFinalizer, decideAttachment } from './decide-attachment.ts';

export interface DetachVolumeDeps {
  readonly informers: ClusterInformers;
  readonly evidence: Pick<ClusterEvidence, 'begin'>;
  readonly detachEvidence: Pick<DetachEvidence, 'permit' | 'attachmentsOf'>;
  readonly fence: Fence;
  readonly clock: Clock;
}

/** Undefined when the volume is not on the node and will not come there, else when to look again. */
export type Unpublish = (
  permit: DetachPermit,
  disk: { readonly volumeId: string; readonly nodeId: string },
  signal: AbortSignal,
) => Promise<ReconcileResult | undefined>;

export interface Detaching {
  readonly ownWrites: OwnWrites;
  readonly unpublish: Unpublish;
}

const handleUnknown = (attachment: string, volume: string): VdoError =>
  new VdoError({
    code: 'KubeNotFound',
    message: `which disk VolumeAttachment ${attachment} is for is not known: PersistentVolume ${volume} does not exist, and an earlier release attached it`,
    remedy: `Detach the disk in vCenter if the VM of the node has it, then remove the finalizer: kubectl patch volumeattachment ${attachment} --type=merge -p '{"metadata":{"finalizers":null}}'`,
    retry: 'on-change',
  });

const tooSlow = (attachment: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `vCenter takes longer than ${evidenceLivesMs / 1000} s to tell whether the disk of VolumeAttachment ${attachment} is detached`,
    remedy: 'It is tried again by itself. If it stays, look at the load of vCenter.',
  });

/** Takes the disk of a VolumeAttachment that is being deleted off its VM, and lets the attachment go once that is certain. */
export const createDetachVolume = (deps: DetachVolumeDeps, { ownWrites, unpublish }: Detaching) => {
  const { informers, evidence, detachEvidence, clock, fence } = deps;

  const handleOf = async (attempt: Attempt, { metadata, spec }: VolumeAttachment): Promise<string> => {
    const name = spec.source.persistentVolumeName ?? '';
    const volume = await attempt.read(persistentVolumes, { name });
    const handle = volume.kind === 'seen' ? volume.object.spec.csi?.volumeHandle : undefined;
    if (handle === undefined) throw handleUnknown(metadata.name ?? '', name);
    return handle;
  };

  /** Another attachment that holds the same disk on the same VM, and detaches it when its own time comes. */
  const heirOf = async (permit: DetachPermit, volumeId: string, nodeId: string | undefined) => {
    const { attachments } = await detachEvidence.attachmentsOf(permit, [volumeId]);
    const holds = ({ metadata: { deletionTimestamp, finalizers = [], annotations = {} } }: VolumeAttachment) =>
      !deletionTimestamp &&
      finalizers.includes(attacherFinalizer) &&
      nodeId !== undefined &&
      annotations[nodeIdAnnotation] === nodeId;
    const heir = attachments.flatMap(({ objects }) => objects).find(holds);
    if (!heir) return undefined;
    // Read once more: the answer of the cache is also about the one that goes, and does not outlive what is written into that.
    const seen = await permit.attempt.read(volumeAttachments, { name: heir.metadata.name ?? '' });
    return seen.kind === 'seen' && holds(seen.object) ? seen : undefined;
  };

  const release = async (attempt: Attempt, attachment: Seen<VolumeAttachment>, because: Evidence): Promise<void> => {
    const released = await markDetached(attempt, attachment, { finalizer: attacherFinalizer, because: [because] });
    // Until the watch tells that it is gone, a look at it would detach the disk once more.
    if (released) ownWrites.note(keyOf(attachment.object), released);
  };

  const once = async (known: VolumeAttachment, signal: AbortSignal): Promise<ReconcileResult | 'done' | 'too slow'> => {
    const context = { signal, lifetime: signal, fence };
    const attempt = evidence.begin('detach', known.metadata.name ?? '', context);
    // The write fails unless the attachment is still the one that is known.
    const permit = await detachEvidence.permit(attempt, known, context);
    // The watch will tell of its end, and of another of its name.
    if (!permit) return 'done';
    const { attachment } = permit;
    const decision = decideAttachment({
      attachment: attachment.object,
      findVolume: (volume) => informers.volumes.get(volume),
      findCsiNode: (node) => informers.csiNodes.get(node),
    });
    if (decision.action !== 'detach') return 'done';
    const { nodeId } = decision;
    const volumeId = decision.volumeId ?? (await handleOf(attempt, attachment.object));
    const heir = await heirOf(permit, volumeId, nodeId);
    if (heir) {
      await release(attempt, attachment, heir);
      return 'done';
    }
    const question = `whether ${volumeId} is off node ${nodeId ?? 'of any name'}`;
    attempt.assertGood(attachment);
    const disk = { volumeId, nodeId: nodeId ?? '' };
    const detached = await attempt.ask(question, () => unpublish(permit, disk, signal));
    if (detached.value) return detached.value;
    if (clock.monotonicMs() - Math.min(attachment.readMs, detached.readMs) > evidenceLivesMs) return 'too slow';
    await release(attempt, attachment, detached);
    return 'done';
  };

  return async (known: VolumeAttachment, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    // A detach takes vCenter some seconds, and what was read before is too old then: the second time it only has to look.
    const first = await once(known, signal);
    const result = first === 'too slow' ? await once(known, signal) : first;
    if (result === 'too slow') throw tooSlow(known.metadata.name ?? '');
    return result === 'done' ? undefined : result;
  };
};
