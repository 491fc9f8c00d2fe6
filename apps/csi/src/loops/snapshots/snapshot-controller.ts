import type { ActLog } from '@vdo/acts/act-log';
import { runTogether } from '@vdo/base/async/run-together';
import type { Fence } from '@vdo/base/fence';
import type { Metrics } from '@vdo/base/metrics';
import { leaseNames } from '@vdo/config/names';
import { createController } from '@vdo/kube/create-controller';
import { createInformer } from '@vdo/kube/create-informer';
import { enqueueOn } from '@vdo/kube/enqueue-on';
import type { EventRecorder } from '@vdo/kube/events';
import { persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import { createContentSweeper } from './content-sweeper.ts';
import { claimKeyOf, contentNameOf } from './decide-snapshot.ts';
import { createClaimReleaser, createContentGuard } from './guards.ts';
import { createSnapshotBinder, restoredFrom } from './snapshot-binder.ts';
import { createSnapshotInformers, type SnapshotInformersDeps } from './snapshot-informers.ts';

export interface SnapshotControllerDeps extends SnapshotInformersDeps {
  readonly fence: Fence;
  readonly actLog: ActLog;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly metrics: Metrics;
  /** Number of snapshots that are processed concurrently; 10 by default. */
  readonly workers?: number;
}

/** The Lease of the upstream snapshot-controller. */
export const snapshotControllerLease = leaseNames.snapshotController;

/** Does the work of the upstream snapshot-controller, for the snapshots of all drivers, while it is the leader. */
export const runSnapshotController = async (deps: SnapshotControllerDeps, signal: AbortSignal): Promise<void> => {
  const { kube, workers = 10 } = deps;
  const snapshots = createSnapshotInformers(deps);
  const claims = createInformer({
    ...deps,
    client: kube,
    resource: persistentVolumeClaims,
    indexers: { snapshot: (claim) => [restoredFrom(claim) ?? []].flat() },
  });
  const volumes = createInformer({ ...deps, client: kube, resource: persistentVolumes });
  const parts = { ...deps, snapshots, claims, volumes };
  const binder = createController({
    ...deps,
    name: 'snapshot-binding',
    workers,
    reconcile: createSnapshotBinder(parts),
  });
  const guard = createController({ ...deps, name: 'snapshot-content', workers, reconcile: createContentGuard(parts) });
  const sweeper = createController({ ...deps, name: 'snapshot-sweep', reconcile: createContentSweeper(parts) });
  const releaser = createController({ ...deps, name: 'snapshot-source', reconcile: createClaimReleaser(parts) });
  const informers = [snapshots.snapshots, snapshots.contents, snapshots.classes, claims, volumes];

  const subscribe = (): readonly (() => void)[] => [
    enqueueOn(snapshots.snapshots, binder, { when: ({ type }) => type !== 'deleted' }),
    enqueueOn(snapshots.snapshots, releaser, { keys: (snapshot) => [claimKeyOf(snapshot)] }),
    enqueueOn(snapshots.contents, guard, { when: ({ type }) => type !== 'deleted' }),
    enqueueOn(snapshots.contents, sweeper, { when: ({ type }) => type !== 'deleted' }),
    enqueueOn(snapshots.snapshots, sweeper, {
      keys: (snapshot) => [contentNameOf(snapshot)],
      when: ({ type }) => type === 'deleted',
    }),
    enqueueOn(snapshots.contents, binder, {
      keys: ({ spec: { volumeSnapshotRef: ref } }) => [`${ref.namespace ?? ''}/${ref.name ?? ''}`],
    }),
    snapshots.snapshots.onChange(({ object }) => {
      const content = object.status?.boundVolumeSnapshotContentName;
      if (content) guard.enqueue(content);
    }),
    snapshots.classes.onChange(() => {
      for (const snapshot of snapshots.snapshots.list())
        if (!snapshot.status?.boundVolumeSnapshotContentName) binder.enqueue(keyOf(snapshot));
    }),
    claims.onChange(({ object }) => {
      const key = keyOf(object);
      releaser.enqueue(key);
      const source = restoredFrom(object);
      if (source) binder.enqueue(source);
      for (const snapshot of snapshots.snapshots.byIndex('claim', key))
        if (!snapshot.status?.readyToUse) binder.enqueue(keyOf(snapshot));
    }),
  ];
  const work = async (stop: AbortSignal): Promise<void> => {
    await Promise.all(informers.map((informer) => informer.waitForSync({ signal: stop })));
    const unsubscribe = subscribe();
    try {
      await Promise.all([binder, guard, sweeper, releaser].map((controller) => controller.run(stop)));
    } finally {
      for (const end of unsubscribe) end();
    }
  };
  await runTogether(signal, [...informers.map((informer) => informer.run), work]);
};
