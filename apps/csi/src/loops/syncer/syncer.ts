import { setMaxListeners } from 'node:events';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { toVdoError } from '@vdo/base/vdo-error';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import { createController } from '@vdo/kube/create-controller';
import { createInformer } from '@vdo/kube/create-informer';
import { configMaps } from '@vdo/kube/types/core';
import { keyOf } from '@vdo/kube/types/resource';
import { runTogether } from '../../run-together.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { eventMessage } from '../event-message.ts';
import { assertNotShrunk } from './decide-shrink.ts';
import { followVolumes } from './dirty-volumes.ts';
import { createFullSync, type FullSyncDeps } from './full-sync.ts';
import { createMetadataSender, type MetadataSenderDeps } from './metadata-sender.ts';
import { createMetadataSync, settleMs } from './metadata-sync.ts';
import { createNodeLabeler, type NodeLabelerDeps } from './node-labels.ts';
import { createOrphanCleanup, type OrphanCleanupDeps } from './orphan-cleanup.ts';
import { createOrphanReporter, type OrphanReporterDeps, syncReportName } from './orphan-report.ts';
import { createPodInformer } from './pod-informer.ts';
import { createSnapshotHandles } from './snapshot-handles.ts';
import { createStaticVolumes, type StaticVolumesDeps } from './static-volumes.ts';
import { createHealthReporter } from './volume-health.ts';
import { createVolumeView } from './volume-view.ts';

export interface SyncerDeps
  extends MetadataSenderDeps,
    OrphanReporterDeps,
    NodeLabelerDeps,
    Pick<FullSyncDeps, 'intents' | 'clusterId'>,
    Pick<OrphanCleanupDeps, 'datastoreOf'>,
    Pick<StaticVolumesDeps, 'registerDisk' | 'volumes'> {
  readonly informers: ClusterInformers;
  readonly clock: Clock;
  readonly random: Random;
  /** Between full syncs. */
  readonly fullSyncMs: number;
}

/** The Lease the upstream syncer would hold. */
export const syncerLease = 'vsphere-syncer';

/** Keeps vCenter's view of volumes equal to the cluster, takes in static volumes, and reports health and orphans, while it leads. */
export const runSyncer = async (deps: SyncerDeps, signal: AbortSignal): Promise<void> => {
  const { kube, informers, namespace, clock, random, logger, metrics, events, fullSyncMs } = deps;
  setMaxListeners(0, signal);
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
  const view = createVolumeView(informers, pods);
  const sender = createMetadataSender(deps);
  const snapshotHandles = createSnapshotHandles(kube);
  const registerStatic = createStaticVolumes({ ...deps, sender, view });
  const metadata = createMetadataSync({ ...deps, view, sender, registerStatic });
  const reportOrphans = createOrphanReporter(deps);
  const fullSync = createFullSync({
    ...deps,
    view,
    sender,
    registerStatic,
    onUntold: metadata.mark,
    snapshotHandles,
    reportHealth: createHealthReporter(deps),
  });
  const lastSync = metrics.gauge({
    name: 'vdo_csi_full_sync_timestamp_seconds',
    help: 'When the last full sync ended.',
  });
  const counted = createConfigMapState<{ readonly volumes?: number }>(
    { client: kube, namespace, name: syncReportName, key: 'counted' },
    {},
  );
  const forget = `-n ${namespace} patch configmap ${syncReportName} --type=json -p '[{"op":"remove","path":"/data/counted"}]'`;

  const flusher = createController({ ...deps, name: 'volume-metadata', reconcile: metadata.reconcile });
  const cleanup = createController({
    ...deps,
    name: 'orphan-cleanup',
    reconcile: createOrphanCleanup({ ...deps, reports, view, snapshotHandles }),
  });
  const counter = createController({
    ...deps,
    name: 'volume-count',
    reconcile: async () => {
      await counted.save({ volumes: view.volumes().length });
      return undefined;
    },
  });
  const labeler = createController({ ...deps, name: 'node-topology', reconcile: createNodeLabeler(deps) });
  let synced = false;
  let stopped = false;
  // Changes are sent from the first full sync on: until then nobody knows what vCenter shows.
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
        // A deletion that was seen is no loss.
        if (synced) counter.enqueue('all', { afterMs: settleMs });
      },
    }),
    reports.onChange(({ type, object }) => {
      if (type !== 'deleted' && synced) cleanup.enqueue(keyOf(object));
    }),
  ];

  const full = createController({
    ...deps,
    name: 'full-sync',
    reconcile: async (_key, { signal: stop }) => {
      try {
        assertNotShrunk((await counted.load()).volumes, view.volumes().length, forget);
        stopped = false;
      } catch (cause) {
        stopped = true;
        const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: syncReportName };
        const message = eventMessage(toVdoError(cause));
        events.record(reference, { type: 'Warning', reason: 'FullSyncStopped', message });
        throw cause;
      }
      const { orphans, failure } = await fullSync(stop);
      if (!synced) for (const report of reports.list()) cleanup.enqueue(keyOf(report));
      synced = true;
      flush();
      if (!orphans) throw failure;
      await reportOrphans(orphans);
      await counted.save({ volumes: view.volumes().length });
      lastSync.set({}, clock.now() / 1000);
      return { requeueAfterMs: fullSyncMs };
    },
  });

  const work = async (stop: AbortSignal): Promise<void> => {
    const awaited = [informers.claims, informers.volumes, informers.nodes, pods, reports];
    await Promise.all(awaited.map((informer) => informer.waitForSync({ signal: stop })));
    full.enqueue('all');
    const always = [
      ...follow(),
      informers.nodes.onChange(({ type }) => {
        if (type !== 'deleted') labeler.enqueue('all', { afterMs: settleMs });
      }),
      // Somebody has said that the cluster is right as it is.
      reports.onChange(({ object }) => {
        if (stopped && object.data?.['counted'] === undefined) full.enqueue('all');
      }),
    ];
    try {
      await Promise.all([full, flusher, cleanup, counter, labeler].map((controller) => controller.run(stop)));
    } finally {
      for (const end of always) end();
    }
  };
  await runTogether(signal, [pods.run, reports.run, work]);
};
