import type { AttemptDeps } from '@vdo/acts/attempt';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { leaseNames } from '@vdo/config/names';
import type { Controller } from '@vdo/kube/controller';
import { createController } from '@vdo/kube/create-controller';
import { keyOf } from '@vdo/kube/types/resource';
import type { IntentStore } from '../../intents/volume-intent.ts';
import type { ClusterEvidence } from '../../volumes/cluster-evidence.ts';
import type { Volumes } from '../../volumes/volumes.ts';
import { copiedFrom } from '../copied-from.ts';
import { createAbandonedVolumesSweeper, everyIntent } from './abandoned-volumes.ts';
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
  /** How long what was begun may go on after the signal to stop. Default: not at all. */
  readonly drainMs?: number;
  /** Claims and volumes worked on at once. Default 20. */
  readonly workers?: number;
}

/** The Lease the upstream provisioner would hold: who has it provisions. */
export const provisionerLease = leaseNames.provisioner;

/** Does what the upstream csi-provisioner does, while it leads. */
export const runProvisioner = async (deps: ProvisionerDeps, signal: AbortSignal): Promise<void> => {
  const { informers, workers = 20 } = deps;
  // Every operation under way listens to the one signal that ends them all.
  const claims = createController({
    ...deps,
    name: 'provision',
    workers,
    reconcile: createClaimProvisioner({ ...deps, lookAfter: (name) => abandoned.enqueue(name) }),
  });
  const volumes = createController({ ...deps, name: 'reclaim', workers, reconcile: createVolumeReclaimer(deps) });
  const abandoned: Controller = createController({
    ...deps,
    name: 'abandoned-volumes',
    // One whose task runs for minutes must not keep the notes of others.
    workers: 10,
    reconcile: createAbandonedVolumesSweeper({ ...deps, enqueue: (name) => abandoned.enqueue(name) }),
  });

  const sources = createController({ ...deps, name: 'clone-source', reconcile: createSourceReleaser(deps) });
  const capacity = createController({ ...deps, name: 'storage-capacity', reconcile: createCapacityKeeper(deps) });
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
  // Once, however many nodes come in one turn: thousands are told of at the beginning.
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
      // Most claims have their volume: of them there is nothing to do.
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
      if (type !== 'updated') enqueueAllPending();
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
        // Each try leaves its mark: reacting to that would try again at once what has just failed.
        if (!previous || wishOf(previous) !== wishOf(object)) volumes.enqueue(keyOf(object));
        return;
      }
      const { volumeHandle = '' } = object.spec.csi ?? {};
      for (const other of volumeInformer.byIndex('handle', volumeHandle)) volumes.enqueue(keyOf(other));
    }),
  );
  // What an earlier leader began and nobody claims any more.
  abandoned.enqueue(everyIntent);
  try {
    await Promise.all([claims, volumes, abandoned, sources, capacity].map((controller) => controller.run(signal)));
  } finally {
    for (const stop of unsubscribe) stop();
  }
};
