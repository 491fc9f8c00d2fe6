import { create } from '@bufbuild/protobuf';
import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import { type Controller, DeleteVolumeRequestSchema } from '@vdo/csi-proto/gen/csi-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { ClusterInformers } from '../cluster-informers.ts';
import { eventMessage } from '../event-message.ts';
import { provisionerFinalizer } from './annotations.ts';
import { decideVolume } from './decide-volume.ts';

export interface ReclaimVolumeDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly controller: Required<Pick<ServiceHandlers<typeof Controller>, 'deleteVolume'>>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly clock: Clock;
}

/** Deletes the disk of a released volume, then its object; keeps the finalizer in step with the reclaim policy. */
export const createVolumeReclaimer = (deps: ReclaimVolumeDeps): Reconcile => {
  const { kube, informers, controller, events, fence, clock } = deps;
  const setFinalizers = async (
    { metadata: { name = '', resourceVersion } }: PersistentVolume,
    finalizers: readonly string[],
    signal: AbortSignal,
  ): Promise<void> => {
    const body = { metadata: { resourceVersion, finalizers } };
    await kube.patch(persistentVolumes, { name }, { type: 'merge', body }, { signal });
  };

  // In this order: until the disk is gone the finalizer keeps the object, and with it the disk's id.
  const remove = async (volume: PersistentVolume, volumeId: string, signal: AbortSignal): Promise<void> => {
    const { name = '', uid = '' } = volume.metadata;
    const context = { signal, lifetime: signal, fence };
    await controller.deleteVolume(create(DeleteVolumeRequestSchema, { volumeId }), context);
    await kube.delete(persistentVolumes, { name }, { uid, signal });
    const left = await kube.find(persistentVolumes, { name }, { signal });
    if (left?.metadata.uid !== uid || !left.metadata.finalizers?.includes(provisionerFinalizer)) return;
    const others = left.metadata.finalizers.filter((finalizer) => finalizer !== provisionerFinalizer);
    await setFinalizers(left, others, signal).catch((error) => {
      if (!isVdoError(error, 'KubeNotFound')) throw error;
    });
  };

  return async (key, { signal }) => {
    const volume = informers.volumes.get(key);
    if (!volume) return undefined;
    try {
      const decision = decideVolume(volume, informers.attachments.byIndex('volume', key), clock.now());
      if (decision.action === 'set-finalizers') await setFinalizers(volume, decision.finalizers, signal);
      if (decision.action === 'wait') return { requeueAfterMs: decision.ms };
      if (decision.action === 'delete') await remove(volume, decision.volumeId, signal);
    } catch (cause) {
      const error = toVdoError(cause);
      if (!signal.aborted && error.code !== 'KubeConflict')
        events.record(volume, { type: 'Warning', reason: 'VolumeFailedDelete', message: eventMessage(error) });
      throw error;
    }
    return undefined;
  };
};
