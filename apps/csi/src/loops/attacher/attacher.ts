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
import { traceOfAttachment } from '../trace-fields.ts';
import { type AttachVolumeDeps, createVolumeAttacher, type VolumeAttacher } from './attach-volume.ts';
import { addressesOfNode, wishOf } from './decide-attachment.ts';
import { createVolumeReleaser, type ReleaseVolumeDeps } from './release-volume.ts';

export interface AttacherDeps extends AttachVolumeDeps, ReleaseVolumeDeps {
  readonly volumes: AttachVolumeDeps['volumes'] & Pick<Volumes, 'hasAttachDoubts'>;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long operations in progress may continue after the signal to stop; not at all by default. */
  readonly drainMs?: number;
  /** Number of attachments that are processed concurrently; 20 by default. */
  readonly workers?: number;
}

/** The Lease of the upstream csi-attacher: only its holder attaches volumes. */
export const attacherLease = leaseNames.attacher;

/**
 * Everything that fails is retried at growing intervals, as in the upstream csi-attacher: no second request comes, and the write that
 * reports the failure does not count as a change. Without retries, a disk that stays attached would block its next pod forever.
 */
const untilDone =
  (reconcile: Reconcile): Reconcile =>
  (key, context) =>
    reconcile(key, context).catch((error: unknown) => {
      const { code, message, remedy, effect, details, cause } = toVdoError(error);
      throw new VdoError({ code, message, remedy, effect, details, cause, retry: 'backoff' });
    });

/** Time limit when the program stops: a server that does not answer must not delay it. */
const lastCheckMs = 3_000;

/**
 * Whether the next leader can start without checking for operations in progress: all requests of this term are answered, and nothing is
 * left of an earlier leader that did not report this itself. The cache may never have seen such operations.
 */
const isSettled = async (attacher: VolumeAttacher, { kube, clock, term, volumes }: AttacherDeps): Promise<boolean> => {
  if (!attacher.isSettled() || volumes.hasAttachDoubts()) return false;
  if (term.inheritsSettled) return true;
  const limit = deadline(clock, lastCheckMs, { reason: () => new Error('the last check took too long') });
  try {
    const { items } = await kube.list(volumeAttachments, { signal: limit.signal });
    return items.every((one) => one.spec.attacher !== driverName || attacher.answersFor(one));
  } catch {
    return false;
  } finally {
    limit.dispose();
  }
};

/** Does the work of the upstream csi-attacher while it is the leader. Reports at the end whether operations are still in progress. */
export const runAttacher = async (deps: AttacherDeps, signal: AbortSignal): Promise<TermEnd> => {
  const { informers, workers = 20 } = deps;
  // All operations in progress listen to the same abort signal.
  const attacher = createVolumeAttacher(deps);
  let isCut = false;
  const reconcile: Reconcile = (key, context) =>
    untilDone(attacher.reconcile)(key, context).finally(() => {
      isCut ||= context.signal.aborted;
    });
  const fieldsOf = traceOfAttachment(informers);
  const attachments = createController({ ...deps, fieldsOf, name: 'attach', workers, reconcile });
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
    // File shares grant access to the addresses of a node.
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
