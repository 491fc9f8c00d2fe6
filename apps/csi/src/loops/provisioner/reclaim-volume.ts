import type { Attempt } from '@vdo/acts/attempt';
import type { Seen } from '@vdo/acts/evidence';
import { deletePersistentVolume } from '@vdo/acts/objects/delete-persistent-volume';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import { addFinalizer } from '@vdo/kube/finalizers';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { CallContext } from '../../volumes/call-context.ts';
import type { ClusterEvidence } from '../../volumes/cluster-evidence.ts';
import { parseVolumeId } from '../../volumes/volume-id.ts';
import type { Volumes } from '../../volumes/volumes.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { eventMessage, recheckLater } from '../event-message.ts';
import { provisionerFinalizer } from './claims.ts';
import { assertOnlyOne, decideVolume } from './decide-volume.ts';

export interface ReclaimVolumeDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly volumes: Pick<Volumes, 'deleteVolume' | 'whereabouts'>;
  readonly evidence: Pick<ClusterEvidence, 'begin' | 'permitDeletion'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly clock: Clock;
}

/** False for the path of a disk: it has to be resolved first, and there may be no disk. */
const hasId = (volumeId: string): boolean => ['block', 'file'].includes(parseVolumeId(volumeId)?.kind ?? '');

/** Deletes the disk of a released volume, then the PersistentVolume. Adds or removes the finalizer according to the reclaim policy. */
export const createVolumeReclaimer = (deps: ReclaimVolumeDeps): Reconcile => {
  const { kube, informers, volumes, evidence, events, fence, clock } = deps;
  const begin = (act: string, subject: string, signal: AbortSignal): Attempt =>
    evidence.begin(act, subject, { signal, lifetime: signal, fence });

  // A volume with policy Retain does not wait for its disk. The policy may have been changed since it was read.
  const release = async ({ metadata: { name = '', uid } }: PersistentVolume, signal: AbortSignal): Promise<void> => {
    const attempt = begin('let PersistentVolume go', name, signal);
    const seen = await attempt.read(persistentVolumes, { name });
    if (seen.kind === 'absent' || seen.uid !== uid) return;
    if (decideVolume(seen.object, [], clock.now()).action !== 'release') return;
    await removeFinalizer(attempt, seen, { finalizer: provisionerFinalizer, because: [] });
  };

  /** The evidence that the disk may be deleted. Undefined if the volume no longer exists. */
  const permit = async (volume: PersistentVolume, volumeId: string, context: CallContext) => {
    const attempt = evidence.begin('delete disk', volumeId, context);
    const noted = volume.metadata.annotations?.[annotationKeys.vcenterInstance];
    const asked = hasId(volumeId) ? volumes.whereabouts(attempt, { id: volumeId, noted }, context) : undefined;
    // If it is already recorded which vCenter has the volume, there is no need to wait for that answer.
    const instanceUuid = noted ?? (await asked)?.identity.value.instanceUuid;
    // The write fails if the volume is not the version that was decided about. Its resourceVersion is the one that the cache must reach
    // // before it is certain to know every other volume with the same disk.
    const write = evidence.permitDeletion(attempt, { volume, instanceUuid }, context);
    const [where, permitted] = await Promise.all([asked, write]);
    if (!permitted) return undefined;
    assertOnlyOne(volume, permitted.current.byIndex('handle', volumeId).objects);
    return { ...permitted, where };
  };

  // In this order: until the disk is deleted, the finalizer keeps the object, and with it the ID of the disk.
  const remove = async (volume: PersistentVolume, volumeId: string, signal: AbortSignal): Promise<void> => {
    const { name = '', uid = '' } = volume.metadata;
    const context = { signal, lifetime: signal, fence };
    const beginRemoval = () => begin('delete PersistentVolume', name, signal);
    const removeObject = async (removal: Attempt, seen: Seen<PersistentVolume>): Promise<void> => {
      const gone = await removal.ask(`disk ${volumeId}, just deleted`, async () => true);
      const left = await removeFinalizer(removal, seen, { finalizer: provisionerFinalizer, because: [gone] });
      if (left) await deletePersistentVolume(removal, left, [gone]);
    };

    // It begins before the volume is read, so that the same read is evidence for both.
    const removal = beginRemoval();
    const permission = await permit(volume, volumeId, context);
    if (!permission) return;
    await volumes.deleteVolume(volumeId, { ...context, permission });
    try {
      await removeObject(removal, permission.volume);
    } catch (error) {
      if (!isVdoError(error, 'EvidenceMissing')) throw error;
      // Minutes may have passed, or the object was changed. This does not matter: a deleted disk does not come back.
      const again = beginRemoval();
      const seen = await again.read(persistentVolumes, { name });
      if (seen.kind !== 'absent' && seen.uid === uid) await removeObject(again, seen);
    }
  };

  return async (key, { signal }) => {
    const volume = informers.volumes.get(key);
    if (!volume) return undefined;
    try {
      const decision = decideVolume(volume, informers.attachments.byIndex('volume', key), clock.now());
      if (decision.action === 'guard')
        await addFinalizer(kube, persistentVolumes, volume, { finalizer: provisionerFinalizer, signal });
      if (decision.action === 'release') await release(volume, signal);
      if (decision.action === 'wait') return { requeueAfterMs: decision.ms };
      if (decision.action === 'delete') await remove(volume, decision.volumeId, signal);
    } catch (cause) {
      const error = toVdoError(cause);
      // Another writer changed the object in between. An attempt is meant to end in this case; the next one starts immediately.
      if (!signal.aborted && !isVdoError(error, 'KubeConflict', 'EvidenceMissing'))
        events.record(volume, { type: 'Warning', reason: 'VolumeFailedDelete', message: eventMessage(error) });
      throw recheckLater(error);
    }
    return undefined;
  };
};
