import { type ActLog, createActLog, evidenceLivesMs } from '@vdo/acts/act-log';
import type { Attempt, AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import type { Evidence, Seen } from '@vdo/acts/evidence';
import { markDetached } from '@vdo/acts/objects/mark-detached';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { ReconcileResult } from '@vdo/kube/controller';
import { persistentVolumes } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import { type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';
import { nodeIdAnnotation } from '../../volumes/attached-node.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import type { OwnWrites } from '../own-writes.ts';
import { attacherFinalizer, decideAttachment } from './decide-attachment.ts';

export interface DetachVolumeDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly random: Random;
  readonly soleUse: AttemptDeps['soleUse'];
  /** Default: one of its own. */
  readonly actLog?: ActLog;
}

/** Undefined when the volume is not on the node and will not come there, else when to look again. */
export type Unpublish = (
  attachment: VolumeAttachment,
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
  const { kube, informers, clock, random, fence, soleUse, actLog = createActLog() } = deps;

  const handleOf = async (attempt: Attempt, { metadata, spec }: VolumeAttachment): Promise<string> => {
    const name = spec.source.persistentVolumeName ?? '';
    const volume = await attempt.read(persistentVolumes, { name });
    const handle = volume.kind === 'seen' ? volume.object.spec.csi?.volumeHandle : undefined;
    if (handle === undefined) throw handleUnknown(metadata.name ?? '', name);
    return handle;
  };

  /** Another attachment that holds the same disk on the same VM, and detaches it when its own time comes. */
  const heirOf = async (attempt: Attempt, { metadata, spec }: VolumeAttachment, nodeId: string | undefined) => {
    const volume = spec.source.persistentVolumeName ?? '';
    const others = informers.attachments
      .byIndex('volume', volume)
      .filter((one) => one.metadata.name !== metadata.name && one.spec.nodeName === spec.nodeName);
    for (const {
      metadata: { name = '' },
    } of others) {
      const seen = await attempt.read(volumeAttachments, { name });
      if (seen.kind === 'absent') continue;
      const { deletionTimestamp, finalizers = [], annotations = {} } = seen.object.metadata;
      const holds = !deletionTimestamp && finalizers.includes(attacherFinalizer);
      if (holds && nodeId !== undefined && annotations[nodeIdAnnotation] === nodeId) return seen;
    }
    return undefined;
  };

  const release = async (attempt: Attempt, attachment: Seen<VolumeAttachment>, because: Evidence): Promise<void> => {
    const released = await markDetached(attempt, attachment, { finalizer: attacherFinalizer, because: [because] });
    // Until the watch tells that it is gone, a look at it would detach the disk once more.
    if (released) ownWrites.note(keyOf(attachment.object), released);
  };

  const once = async (known: VolumeAttachment, signal: AbortSignal): Promise<ReconcileResult | 'done' | 'too slow'> => {
    const { name = '', uid } = known.metadata;
    const attempt = beginAttempt(
      { client: kube, clock, random, fence, log: actLog, soleUse },
      { act: 'detach', subject: name, signal },
    );
    const seen = await attempt.read(volumeAttachments, { name });
    // The watch will tell of its end, and of another of its name.
    if (seen.kind === 'absent' || seen.object.metadata.uid !== uid) return 'done';
    const decision = decideAttachment({
      attachment: seen.object,
      findVolume: (volume) => informers.volumes.get(volume),
      findCsiNode: (node) => informers.csiNodes.get(node),
    });
    if (decision.action !== 'detach') return 'done';
    const { nodeId } = decision;
    const heir = await heirOf(attempt, seen.object, nodeId);
    if (heir) {
      await release(attempt, seen, heir);
      return 'done';
    }
    const volumeId = decision.volumeId ?? (await handleOf(attempt, seen.object));
    const question = `whether ${volumeId} is off node ${nodeId ?? 'of any name'}`;
    attempt.assertGood(seen);
    const disk = { volumeId, nodeId: nodeId ?? '' };
    const detached = await attempt.ask(question, () => unpublish(seen.object, disk, signal));
    if (detached.value) return detached.value;
    if (clock.monotonicMs() - Math.min(seen.readMs, detached.readMs) > evidenceLivesMs) return 'too slow';
    await release(attempt, seen, detached);
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
