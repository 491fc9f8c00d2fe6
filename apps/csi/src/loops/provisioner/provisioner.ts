import type { AttemptDeps } from '@vdo/acts/attempt';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import type { BackoffOptions } from '@vdo/base/retry';
import { effectOf, type VdoError } from '@vdo/base/vdo-error';
import { leaseNames } from '@vdo/config/names';
import type { Controller } from '@vdo/kube/controller';
import { createController } from '@vdo/kube/create-controller';
import type { PersistentVolumeClaim } from '@vdo/kube/types/core';
import { parseQuantity } from '@vdo/kube/types/quantity';
import { keyOf } from '@vdo/kube/types/resource';
import type { IntentStore } from '../../intents/volume-intent.ts';
import type { ClusterEvidence } from '../../volumes/cluster-evidence.ts';
import type { Volumes } from '../../volumes/volumes.ts';
import { copiedFrom } from '../copied-from.ts';
import { traceOfClaim } from '../trace-fields.ts';
import { createAbandonedVolumesSweeper, everyIntent } from './abandoned-volumes.ts';
import { createClaimQuestion } from './claim-question.ts';
import { storageClassNameOf } from './claims.ts';
import { createSourceReleaser, isProtected } from './data-source.ts';
import { wishOf } from './decide-volume.ts';
import { createClaimProvisioner, type ProvisionClaimDeps } from './provision-claim.ts';
import { createVolumeReclaimer, type ReclaimVolumeDeps } from './reclaim-volume.ts';
import { createCapacityKeeper, type StorageCapacityDeps } from './storage-capacity.ts';

export interface ProvisionerDeps extends Omit<ProvisionClaimDeps, 'lookAfter'>, ReclaimVolumeDeps, StorageCapacityDeps {
  readonly volumes: Volumes;
  readonly evidence: ClusterEvidence;
  readonly actLog: AttemptDeps['log'];
  readonly soleUse: AttemptDeps['soleUse'];
  readonly intents: IntentStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long operations in progress may continue after the signal to stop; not at all by default. */
  readonly drainMs?: number;
  /** Number of claims and volumes that are processed concurrently; 20 by default. */
  readonly workers?: number;
}

/**
 * Like the upstream csi-provisioner: a datastore may stay full for days. Whether a call with an unknown outcome made a volume must be found out
 * sooner.
 */
const provisionBackoff = (error: VdoError): BackoffOptions => ({
  initialMs: 1_000,
  maxMs: effectOf(error) === 'unknown' ? 60_000 : 300_000,
});

/** The Lease of the upstream csi-provisioner: only its holder provisions volumes. */
export const provisionerLease = leaseNames.provisioner;

/** Does the work of the upstream csi-provisioner while it is the leader. */
export const runProvisioner = async (deps: ProvisionerDeps, signal: AbortSignal): Promise<void> => {
  const { informers, workers = 20 } = deps;
  /** Changes when a claim may fare better: with each node that comes or goes, since all nodes share other datastores then, and with more free space. */
  let surroundings = 0;
  // All operations in progress listen to the same abort signal.
  const claims = createController({
    ...deps,
    name: 'provision',
    workers,
    backoff: provisionBackoff,
    fieldsOf: traceOfClaim(informers),
    questionOf: createClaimQuestion({ ...deps, surroundings: () => surroundings }),
    reconcile: createClaimProvisioner({ ...deps, lookAfter: (name) => abandoned.enqueue(name) }),
  });
  const volumes = createController({ ...deps, name: 'reclaim', workers, reconcile: createVolumeReclaimer(deps) });
  const abandoned: Controller = createController({
    ...deps,
    name: 'abandoned-volumes',
    // An intent whose task runs for minutes must not delay the others.
    workers: 10,
    reconcile: createAbandonedVolumesSweeper({ ...deps, enqueue: (name) => abandoned.enqueue(name) }),
  });

  /** A claim that did not fit may fit now. */
  const onRoom: StorageCapacityDeps['onRoom'] = (className, { before, now }) => {
    const fitsNow = (claim: PersistentVolumeClaim): boolean => {
      const wanted = parseQuantity(claim.spec.resources?.requests?.['storage'] ?? '0') ?? 0n;
      return !claim.spec.volumeName && storageClassNameOf(claim) === className && wanted > before && wanted <= now;
    };
    const fitting = informers.claims.list().filter(fitsNow);
    if (fitting.length > 0) surroundings += 1;
    for (const claim of fitting) claims.enqueue(keyOf(claim));
  };
  const sources = createController({ ...deps, name: 'clone-source', reconcile: createSourceReleaser(deps) });
  const capacity = createController({
    ...deps,
    name: 'storage-capacity',
    reconcile: createCapacityKeeper({ ...deps, onRoom }),
  });
  const measure = () => capacity.enqueue('all', { afterMs: 1_000 });

  const { claims: claimInformer, volumes: volumeInformer, classes, nodes, attachments } = informers;
  await Promise.all(
    [claimInformer, volumeInformer, classes, nodes, informers.csiNodes, attachments].map((informer) =>
      informer.waitForSync({ signal }),
    ),
  );
  const enqueuePending = (wanted: (className: string) => boolean) => {
    for (const claim of claimInformer.list())
      if (!claim.spec.volumeName && wanted(storageClassNameOf(claim))) claims.enqueue(keyOf(claim));
  };
  // Once per turn for any number of nodes: at the start, thousands are reported.
  let isComing = false;
  const enqueueAllPending = () => {
    if (isComing) return;
    isComing = true;
    setImmediate(() => {
      isComing = false;
      enqueuePending(() => true);
    });
  };
  await informers.turn();
  const unsubscribe = [
    claimInformer.onChange(({ type, object }) => {
      if (type === 'deleted') abandoned.enqueue(`pvc-${object.metadata.uid ?? ''}`);
      // Most claims already have their volume, so there is nothing to do for them.
      else if (!object.spec.volumeName) claims.enqueue(keyOf(object));
      if (isProtected(object)) sources.enqueue(keyOf(object));
      const source = copiedFrom(object);
      if (source) sources.enqueue(source);
    }),
    classes.onChange(({ object }) => {
      enqueuePending((name) => name === object.metadata.name);
      measure();
    }),
    nodes.onChange(({ type }) => {
      if (type === 'updated') return;
      surroundings += 1;
      enqueueAllPending();
    }),
    informers.csiNodes.onChange(() => {
      if (deps.topology) enqueueAllPending();
      measure();
    }),
    attachments.onChange(({ type, object }) => {
      const volume = object.spec.source.persistentVolumeName;
      if (type === 'deleted' && volume) volumes.enqueue(volume);
    }),
  ];
  await informers.turn();
  unsubscribe.push(
    volumeInformer.onChange(({ type, object, previous }) => {
      if (type !== 'deleted') {
        // Each attempt changes the object. To react to that change would retry a failed attempt immediately.
        if (!previous || wishOf(previous) !== wishOf(object)) volumes.enqueue(keyOf(object));
        return;
      }
      const { volumeHandle = '' } = object.spec.csi ?? {};
      for (const other of volumeInformer.byIndex('handle', volumeHandle)) volumes.enqueue(keyOf(other));
    }),
  );
  // Volumes that an earlier leader began to create and that no claim requests any more.
  abandoned.enqueue(everyIntent);
  try {
    await Promise.all([claims, volumes, abandoned, sources, capacity].map((controller) => controller.run(signal)));
  } finally {
    for (const stop of unsubscribe) stop();
  }
};
