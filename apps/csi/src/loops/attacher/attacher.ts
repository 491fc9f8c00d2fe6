import { allowManyListeners } from '@vdo/base/async/many-listeners';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import { leaseNames } from '@vdo/config/names';
import type { Reconcile } from '@vdo/kube/controller';
import { createController } from '@vdo/kube/create-controller';
import { keyOf } from '@vdo/kube/types/resource';
import { addressesNotedOn } from '../../volumes/share-grants.ts';
import { type AttachVolumeDeps, createVolumeAttacher } from './attach-volume.ts';
import { addressesOfNode, wishOf } from './decide-attachment.ts';
import { createVolumeReleaser, type ReleaseVolumeDeps } from './release-volume.ts';

export interface AttacherDeps extends AttachVolumeDeps, ReleaseVolumeDeps {
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Attachments worked on at once. Default 20. */
  readonly workers?: number;
}

/** The Lease the upstream attacher would hold: who has it attaches. */
export const attacherLease = leaseNames.attacher;

/**
 * Whatever fails is tried again at growing intervals, as by the upstream csi-attacher: nobody asks a second time, and the report of a
 * failure is no reason to look again. A disk that stayed where it is would keep its next pod waiting for good.
 */
const untilDone =
  (reconcile: Reconcile): Reconcile =>
  (key, context) =>
    reconcile(key, context).catch((error: unknown) => {
      const { code, message, remedy, effect, details, cause } = toVdoError(error);
      throw new VdoError({ code, message, remedy, effect, details, cause, retry: 'backoff' });
    });

/** Does what the upstream csi-attacher does, while it leads. */
export const runAttacher = async (deps: AttacherDeps, signal: AbortSignal): Promise<void> => {
  const { informers, workers = 20 } = deps;
  // Every operation under way listens to the one signal that ends them all.
  allowManyListeners(signal);
  const reconcile = untilDone(createVolumeAttacher(deps));
  const attachments = createController({ ...deps, name: 'attach', workers, reconcile });
  const volumes = createController({ ...deps, name: 'release', reconcile: createVolumeReleaser(deps) });
  await Promise.all(
    [informers.attachments, informers.volumes, informers.csiNodes].map((informer) => informer.waitForSync({ signal })),
  );
  const enqueueOf = (volume: string) => {
    for (const attachment of informers.attachments.byIndex('volume', volume)) attachments.enqueue(keyOf(attachment));
  };
  const ofNode = (name = '') => informers.attachments.byIndex('node', name);
  await informers.turn();
  const unsubscribe = [
    informers.attachments.onChange(({ type, object, previous }) => {
      if (type !== 'updated' || !previous || wishOf(previous) !== wishOf(object)) attachments.enqueue(keyOf(object));
      const volume = object.spec.source.persistentVolumeName;
      if (type === 'deleted' && volume) volumes.enqueue(volume);
    }),
    informers.volumes.onChange(({ type, object }) => {
      if (type !== 'deleted' && object.metadata.deletionTimestamp) volumes.enqueue(keyOf(object));
      if (type === 'added') enqueueOf(keyOf(object));
    }),
    informers.csiNodes.onChange(({ object }) => {
      for (const attachment of ofNode(object.metadata.name))
        if (!attachment.status?.attached) attachments.enqueue(keyOf(attachment));
    }),
    // A share knows a node by its addresses.
    informers.nodes.onChange(({ object, previous }) => {
      if (previous && addressesOfNode(previous).join() === addressesOfNode(object).join()) return;
      for (const attachment of ofNode(object.metadata.name))
        if (addressesNotedOn(attachment)) attachments.enqueue(keyOf(attachment));
    }),
  ];
  try {
    await Promise.all([attachments.run(signal), volumes.run(signal)]);
  } finally {
    for (const stop of unsubscribe) stop();
  }
};
