import { create } from '@bufbuild/protobuf';
import type { Attempt, AttemptDeps } from '@vdo/acts/attempt';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import type { Found, Written } from '@vdo/acts/evidence';
import { evidenceFence } from '@vdo/acts/evidence-fence';
import { deletePersistentVolume } from '@vdo/acts/objects/delete-persistent-volume';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import type { Random } from '@vdo/base/random';
import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import { annotationKeys } from '@vdo/config/names';
import { type Controller, DeleteVolumeRequestSchema } from '@vdo/csi-proto/gen/csi-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import { addFinalizer } from '@vdo/kube/finalizers';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { VolumeService } from '../../volumes/volume.ts';
import { parseVolumeId } from '../../volumes/volume-id.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { eventMessage } from '../event-message.ts';
import { lookAgain } from '../look-again.ts';
import { provisionerFinalizer } from './annotations.ts';
import { assertOnlyOne, decideVolume } from './decide-volume.ts';

export interface ReclaimVolumeDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly controller: Required<Pick<ServiceHandlers<typeof Controller>, 'deleteVolume'>>;
  readonly volumes: Pick<VolumeService, 'whereabouts'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly actLog: AttemptDeps['log'];
  readonly soleUse: AttemptDeps['soleUse'];
  readonly clock: Clock;
  readonly random: Random;
}

interface Doomed {
  readonly volume: PersistentVolume;
  readonly volumeId: string;
  /** Of the vCenter that has it, to be noted. */
  readonly instanceUuid: string | undefined;
}

/** False for the path of a disk, which is looked up, and may be found to be nowhere. */
const hasId = (volumeId: string): boolean => ['block', 'file'].includes(parseVolumeId(volumeId)?.kind ?? '');

/** What shows that the disk of a volume may be deleted. */
type Permission = readonly [Written<PersistentVolume>, Found<PersistentVolume>];

/** Deletes the disk of a released volume, then its object; keeps the finalizer in step with the reclaim policy. */
export const createVolumeReclaimer = (deps: ReclaimVolumeDeps): Reconcile => {
  const { kube, informers, controller, volumes, events, fence, clock, random, actLog, soleUse } = deps;
  const proof = createCacheProof({ client: kube, clock, informer: informers.volumes, resource: persistentVolumes });
  const begin = (act: string, subject: string, signal: AbortSignal): Attempt =>
    beginAttempt({ client: kube, clock, random, fence, log: actLog, soleUse }, { act, subject, signal });

  // A volume that is retained does not wait for its disk. The policy may have been changed since it was seen.
  const release = async ({ metadata: { name = '', uid } }: PersistentVolume, signal: AbortSignal): Promise<void> => {
    const attempt = begin('let PersistentVolume go', name, signal);
    const seen = await attempt.read(persistentVolumes, { name });
    if (seen.kind === 'absent' || seen.uid !== uid) return;
    if (decideVolume(seen.object, [], clock.now()).action !== 'release') return;
    await removeFinalizer(attempt, seen, { finalizer: provisionerFinalizer, because: [] });
  };

  // The write fails unless the volume is still the one that was decided about, and tells how far the cache must have come before
  // it knows every other volume with the same disk. Undefined if the volume is gone.
  const permit = async (attempt: Attempt, { volume, volumeId, instanceUuid }: Doomed, signal: AbortSignal) => {
    const { name = '', uid = '', resourceVersion = '' } = volume.metadata;
    const noted = instanceUuid === undefined ? {} : { [annotationKeys.vcenterInstance]: instanceUuid };
    const change = { metadata: { annotations: { [annotationKeys.deletionAttempt]: attempt.id, ...noted } } };
    const written = await attempt
      .readByWriting(persistentVolumes, { key: { name }, uid, resourceVersion }, change)
      .catch((error) => {
        if (isVdoError(error, 'KubeConflict')) informers.volumes.doubt();
        throw error;
      });
    if (written.kind === 'absent') return undefined;
    const current = await proof.since(written, { signal });
    const users = current.byIndex('handle', volumeId);
    assertOnlyOne(volume, users.objects);
    return [written, users] as Permission;
  };

  // In this order: until the disk is gone the finalizer keeps the object, and with it the disk's id.
  const remove = async (volume: PersistentVolume, volumeId: string, signal: AbortSignal): Promise<void> => {
    const { name = '', uid = '' } = volume.metadata;
    const deletion = begin('delete disk', volumeId, signal);
    const calling = { signal, lifetime: signal, fence };
    const owner = hasId(volumeId)
      ? await volumes.whereabouts(volumeId, volume.metadata.annotations?.[annotationKeys.vcenterInstance], calling)
      : undefined;
    const doomed = { volume, volumeId, instanceUuid: owner?.instanceUuid };
    const permission = await permit(deletion, doomed, signal);
    if (!permission) return;
    const context = { ...calling, fence: evidenceFence(deletion, permission), ...(owner ? { owner } : {}) };
    await controller.deleteVolume(create(DeleteVolumeRequestSchema, { volumeId }), context);

    // Minutes may have passed: what becomes of the object is another attempt. A disk that was deleted stays so.
    const removal = begin('delete PersistentVolume', name, signal);
    const gone = await removal.ask(`disk ${volumeId}, just deleted`, async () => true);
    const seen = await removal.read(persistentVolumes, { name });
    if (seen.kind === 'absent' || seen.uid !== uid) return;
    await deletePersistentVolume(removal, seen, [gone]);
    const left = await removal.read(persistentVolumes, { name });
    if (left.kind === 'absent' || left.uid !== uid) return;
    await removeFinalizer(removal, left, { finalizer: provisionerFinalizer, because: [gone] });
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
      // Another writer came in between, which is how an attempt is meant to end: the next one begins at once.
      if (!signal.aborted && !isVdoError(error, 'KubeConflict', 'EvidenceMissing'))
        events.record(volume, { type: 'Warning', reason: 'VolumeFailedDelete', message: eventMessage(error) });
      throw lookAgain(error);
    }
    return undefined;
  };
};
