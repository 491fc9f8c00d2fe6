import { deadline } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import { leaseNames } from '@vdo/config/names';
import type { Reconcile } from '@vdo/kube/controller';
import { createController } from '@vdo/kube/create-controller';
import type { TermEnd } from '@vdo/kube/leader-election';
import { keyOf } from '@vdo/kube/types/resource';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import { addressesNotedOn } from '../../volumes/share-grants.ts';
import type { Volumes } from '../../volumes/volumes.ts';
import { type AttachVolumeDeps, createVolumeAttacher, type VolumeAttacher } from './attach-volume.ts';
import { addressesOfNode, wishOf } from './decide-attachment.ts';
import { createVolumeReleaser, type ReleaseVolumeDeps } from './release-volume.ts';

export interface AttacherDeps extends AttachVolumeDeps, ReleaseVolumeDeps {
  readonly volumes: AttachVolumeDeps['volumes'] & Pick<Volumes, 'hasAttachDoubts'>;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long what was begun may go on after the signal to stop. Default: not at all. */
  readonly drainMs?: number;
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

/** The program is told to end: a server that does not answer must not keep it. */
const lastCheckMs = 3_000;

/**
 * Whether the next one may begin without finding out what is under way: everything that was asked for in this term is answered, and there
 * is nothing left of a holder before who did not say so. The cache may never have come to know of that.
 */
const isSettled = async (attacher: VolumeAttacher, { kube, clock, term, volumes }: AttacherDeps): Promise<boolean> => {
  if (!attacher.isSettled() || volumes.hasAttachDoubts()) return false;
  if (term.inheritsSettled) return true;
  const limit = deadline(clock, lastCheckMs, { reason: () => new Error('the last look took too long') });
  try {
    const { items } = await kube.list(volumeAttachments, { signal: limit.signal });
    return items.every((one) => one.spec.attacher !== driverName || attacher.answersFor(one));
  } catch {
    return false;
  } finally {
    limit.dispose();
  }
};

/** Does what the upstream csi-attacher does, while it leads. Says at the end whether it leaves anything under way. */
export const runAttacher = async (deps: AttacherDeps, signal: AbortSignal): Promise<TermEnd> => {
  const { informers, workers = 20 } = deps;
  // Every operation under way listens to the one signal that ends them all.
  const attacher = createVolumeAttacher(deps);
  let isCut = false;
  const reconcile: Reconcile = (key, context) =>
    untilDone(attacher.reconcile)(key, context).finally(() => {
      isCut ||= context.signal.aborted;
    });
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
  return !isCut && (await isSettled(attacher, deps)) ? 'settled' : undefined;
};
