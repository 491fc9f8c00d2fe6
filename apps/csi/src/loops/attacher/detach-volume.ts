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

/** Undefined if the volume is not attached to the node and will not be attached there, otherwise when to check again. */
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
    message: `the disk of VolumeAttachment ${attachment} is not known: PersistentVolume ${volume} does not exist, and the release that attached the disk did not record it`,
    remedy: `If the VM of the node still has the disk, detach it in vCenter. Then remove the finalizer: kubectl patch volumeattachment ${attachment} --type=merge -p '{"metadata":{"finalizers":null}}'`,
    retry: 'on-change',
  });

const tooSlow = (attachment: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `vCenter needs more than ${evidenceLivesMs / 1000} s to report whether the disk of VolumeAttachment ${attachment} is detached`,
    remedy: 'The driver retries automatically. If this persists, check the load of vCenter.',
  });

/** Detaches the disk of a VolumeAttachment that is being deleted, and removes its finalizer after it is certain that the disk is detached. */
export const createDetachVolume = (deps: DetachVolumeDeps, { ownWrites, unpublish }: Detaching) => {
  const { informers, evidence, detachEvidence, clock, fence } = deps;

  const handleOf = async (attempt: Attempt, { metadata, spec }: VolumeAttachment): Promise<string> => {
    const name = spec.source.persistentVolumeName ?? '';
    const volume = await attempt.read(persistentVolumes, { name });
    const handle = volume.kind === 'seen' ? volume.object.spec.csi?.volumeHandle : undefined;
    if (handle === undefined) throw handleUnknown(metadata.name ?? '', name);
    return handle;
  };

  /** Another attachment for the same disk on the same VM. The disk is detached when that attachment is deleted. */
  const heirOf = async (permit: DetachPermit, volumeId: string, nodeId: string | undefined) => {
    const { attachments } = await detachEvidence.attachmentsOf(permit, [volumeId]);
    const holds = ({ metadata: { deletionTimestamp, finalizers = [], annotations = {} } }: VolumeAttachment) =>
      !deletionTimestamp &&
      finalizers.includes(attacherFinalizer) &&
      nodeId !== undefined &&
      annotations[nodeIdAnnotation] === nodeId;
    const heir = attachments.flatMap(({ objects }) => objects).find(holds);
    if (!heir) return undefined;
    // Read again: the cached result includes the attachment that is being deleted, so it is no longer valid after a write to that one.
    const seen = await permit.attempt.read(volumeAttachments, { name: heir.metadata.name ?? '' });
    return seen.kind === 'seen' && holds(seen.object) ? seen : undefined;
  };

  const release = async (attempt: Attempt, attachment: Seen<VolumeAttachment>, because: Evidence): Promise<void> => {
    const released = await markDetached(attempt, attachment, { finalizer: attacherFinalizer, because: [because] });
    // Until the watch reports its deletion, processing it again would detach the disk again.
    if (released) ownWrites.note(keyOf(attachment.object), released);
  };

  const once = async (known: VolumeAttachment, signal: AbortSignal): Promise<ReconcileResult | 'done' | 'too slow'> => {
    const context = { signal, lifetime: signal, fence };
    const attempt = evidence.begin('detach', known.metadata.name ?? '', context);
    // The write fails if the attachment is not the version that is known here.
    const permit = await detachEvidence.permit(attempt, known, context);
    // The watch reports its deletion, and a new attachment of the same name.
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
    // A detach takes some seconds, and the evidence that was read before is then too old. The second attempt only has to check.
    const first = await once(known, signal);
    const result = first === 'too slow' ? await once(known, signal) : first;
    if (result === 'too slow') throw tooSlow(known.metadata.name ?? '');
    return result === 'done' ? undefined : result;
  };
};
