import { beatMs } from '@vdo/acts/cluster-id/heartbeat-state';
import { runTogether } from '@vdo/base/async/run-together';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { leaseNames } from '@vdo/config/names';
import { createController } from '@vdo/kube/create-controller';
import { createInformer } from '@vdo/kube/create-informer';
import { configMaps } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import { createHeartbeat, type HeartbeatDeps } from '../../heartbeat/heartbeat.ts';
import { toVolume } from '../../volumes/volume-locator.ts';
import { awaitApi } from '../await-api.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { createBackingDiskReporter } from './backing-disk.ts';
import { followVolumes } from './dirty-volumes.ts';
import { createFullSync, type FullSyncDeps } from './full-sync.ts';
import { createGuardedSync } from './guarded-sync.ts';
import { createMetadataSender, type MetadataSenderDeps } from './metadata-sender.ts';
import { createMetadataSync, settleMs } from './metadata-sync.ts';
import { createNodeLabeler, type NodeLabelerDeps } from './node-labels.ts';
import { createOrphanCleanup, type OrphanCleanupDeps } from './orphan-cleanup.ts';
import { createOrphanReporter, type OrphanReporterDeps, syncReportName } from './orphan-report.ts';
import { createPodInformer } from './pod-informer.ts';
import { createSnapshotHandles } from './snapshot-handles.ts';
import { createStaticVolumes, type StaticVolumesDeps } from './static-volumes.ts';
import { createSyncRequests, triggerFullSyncs } from './sync-requests.ts';
import { createHealthReporter } from './volume-health.ts';
import { createVolumeView } from './volume-view.ts';

export interface SyncerDeps
  extends MetadataSenderDeps,
    OrphanReporterDeps,
    NodeLabelerDeps,
    Pick<FullSyncDeps, 'intents' | 'clusterId'>,
    Pick<HeartbeatDeps, 'clusterOn'>,
    Pick<OrphanCleanupDeps, 'datastoreOf' | 'actLog' | 'soleUse' | 'vcenters'>,
    Pick<StaticVolumesDeps, 'registerDisk' | 'volumes'> {
  readonly informers: ClusterInformers;
  readonly clock: Clock;
  readonly random: Random;
  /** Time between full syncs. */
  readonly fullSyncMs: number;
}

/** The Lease of the upstream syncer. */
export const syncerLease = leaseNames.syncer;

/** Keeps the volume metadata in vCenter up to date, registers static volumes, and reports health and orphans, while it is the leader. */
export const runSyncer = async (deps: SyncerDeps, signal: AbortSignal): Promise<void> => {
  const { kube, informers, namespace, clock, random, logger } = deps;
  const pods = createPodInformer({ client: kube, clock, random, logger });
  const fieldSelector = `metadata.name=${syncReportName}`;
  const reports = createInformer({
    client: kube,
    resource: configMaps,
    namespace,
    fieldSelector,
    clock,
    random,
    logger,
  });
  const triggers = createInformer({ client: kube, resource: triggerFullSyncs, clock, random, logger });
  const view = createVolumeView(informers, pods);
  const sender = createMetadataSender(deps);
  const snapshotHandles = createSnapshotHandles(kube);
  const registerStatic = createStaticVolumes({ ...deps, sender, view });
  const metadata = createMetadataSync({ ...deps, view, sender, registerStatic });
  const heartbeat = createHeartbeat({
    ...deps,
    shownAs: (volumeId) => {
      const volume = view.byHandle(volumeId);
      return volume && view.entities(volume)[0];
    },
    hasVolume: ({ server, volume }) => view.hasVolume(toVolume(server, volume)),
    volumesOn: (server) =>
      view
        .volumes()
        .map(({ spec }) => spec.csi?.volumeHandle ?? '')
        .filter((handle) => sender.homeOf(handle) === server),
    onWord: sender.carries,
  });
  const fullSync = createFullSync({
    ...deps,
    heartbeat,
    view,
    sender,
    registerStatic,
    onUnreported: metadata.mark,
    snapshotHandles,
    reportHealth: createHealthReporter(deps),
    reportBackingDisk: createBackingDiskReporter(deps),
  });
  const flusher = createController({ ...deps, name: 'volume-metadata', reconcile: metadata.reconcile });
  const cleanup = createController({
    ...deps,
    name: 'orphan-cleanup',
    reconcile: createOrphanCleanup({ ...deps, reports }),
  });
  const labeler = createController({ ...deps, name: 'node-topology', reconcile: createNodeLabeler(deps) });
  let synced = false;
  // Changes are sent after the first full sync: until then the metadata in vCenter is not known.
  const flush = () => {
    if (synced) flusher.enqueue('all', { afterMs: settleMs });
  };
  const follow = (): readonly (() => void)[] => [
    followVolumes({
      informers,
      pods,
      onDirty: (name) => {
        metadata.mark(name);
        flush();
      },
      onGone: (volume) => {
        metadata.markGone(volume);
        flush();
        // A deletion that was seen does not count as missing.
        if (synced) counter.enqueue('all', { afterMs: settleMs });
      },
    }),
    reports.onChange(({ type, object }) => {
      if (type !== 'deleted' && synced) cleanup.enqueue(keyOf(object));
    }),
  ];

  const guarded = createGuardedSync({
    ...deps,
    view,
    fullSync: async (stop, options) => {
      const result = await fullSync(stop, options);
      // The first heartbeat is that of the full sync, which has listed all volumes.
      beater.enqueue('all', { afterMs: beatMs });
      return result;
    },
    reportOrphans: createOrphanReporter(deps),
    onSynced: () => {
      if (!synced) for (const report of reports.list()) cleanup.enqueue(keyOf(report));
      synced = true;
      flush();
    },
  });
  const requests = createSyncRequests({ ...deps, reports, triggers });
  const full = createController({
    ...deps,
    name: 'full-sync',
    reconcile: (key, options) =>
      requests.serve(() => guarded.reconcile(key, options), { signal: options.signal, problem: guarded.problem }),
  });
  const beater = createController({
    ...deps,
    name: 'heartbeat',
    reconcile: async (_key, { signal: stop }) => {
      await heartbeat.beat(stop);
      return { requeueAfterMs: beatMs };
    },
  });
  const counter = createController({ ...deps, name: 'volume-count', reconcile: guarded.count });

  const work = async (stop: AbortSignal): Promise<void> => {
    const awaited = [informers.claims, informers.volumes, informers.nodes, pods, reports];
    await Promise.all(awaited.map((informer) => informer.waitForSync({ signal: stop })));
    full.enqueue('all');
    const always = [
      ...follow(),
      informers.nodes.onChange(({ type }) => {
        if (type !== 'deleted') labeler.enqueue('all', { afterMs: settleMs });
      }),
      // A person has confirmed that the present number is correct.
      reports.onChange(({ object }) => {
        if (guarded.isStopped() && object.data?.['counted'] === undefined) full.enqueue('all');
        if (requests.isAsked()) full.enqueue('all');
      }),
      triggers.onChange(({ type, object }) => {
        if (type === 'deleted') return;
        requests.refuseInvalid(object);
        if (requests.isAsked()) full.enqueue('all');
      }),
    ];
    try {
      await Promise.all([full, flusher, cleanup, counter, labeler, beater].map((controller) => controller.run(stop)));
    } finally {
      for (const end of always) end();
    }
  };
  const followTriggers = async (stop: AbortSignal): Promise<void> => {
    await awaitApi({ name: 'API for requests of full syncs', resources: [triggerFullSyncs] }, deps, stop);
    if (!stop.aborted) await triggers.run(stop);
  };
  await runTogether(signal, [pods.run, reports.run, followTriggers, work]);
};
