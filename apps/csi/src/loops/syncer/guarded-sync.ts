import { beatMs } from '@vdo/acts/cluster-id/heartbeat-state';
import type { Clock } from '@vdo/base/clock';
import type { Metrics } from '@vdo/base/metrics';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import type { Reconcile } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import { eventMessage } from '../event-message.ts';
import type { FullSyncOptions, FullSyncResult } from './full-sync.ts';
import { syncReportName } from './orphan-report.ts';
import type { Orphans } from './orphans.ts';
import type { VolumeView } from './volume-view.ts';

/** Fraction of the PersistentVolumes that may be missing since the last check. */
const tolerated = 0.1;
/** This number may always be missing: a controller that is briefly not running misses a deletion. */
const toleratedAtLeast = 1;

/**
 * Throws if many PersistentVolumes are missing since the last check and their deletion was not seen. The cluster was then probably restored
 * from an older backup, or is a copy of another cluster, and nothing may be concluded from missing objects.
 */
export const assertNotShrunk = (before: number | undefined, now: number, where: string): void => {
  if (before === undefined || before === 0) return;
  // An empty cluster with the same cluster ID has none at all.
  if (now > 0 && before - now <= Math.max(toleratedAtLeast, before * tolerated)) return;
  throw new VdoError({
    code: 'VolumesMissing',
    message: `the cluster has ${now} PersistentVolumes of this driver, but had ${before} at the last check: more than 10 % are missing`,
    remedy: `The driver still sends metadata of existing volumes to vCenter, but removes none and does not search for orphans. If the cluster was restored from a backup, restore the missing objects. If the present number is correct: kubectl ${where}; the driver then accepts it.`,
    details: { before, now },
  });
};

export interface GuardedSyncDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly view: Pick<VolumeView, 'volumes'>;
  readonly fullSync: (signal: AbortSignal, options: FullSyncOptions) => Promise<FullSyncResult>;
  readonly reportOrphans: (orphans: Orphans) => Promise<void>;
  /** The metadata in vCenter is known, for those vCenters that answered. */
  readonly onSynced: () => void;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Time between full syncs. */
  readonly fullSyncMs: number;
}

export interface GuardedSync {
  readonly reconcile: Reconcile;
  /** Records the number of volumes. */
  readonly count: Reconcile;
  /** True while so many volumes are missing that nothing may be concluded from missing objects. */
  isStopped(): boolean;
}

/**
 * Full syncs. While there are far fewer volumes than at the last count, they only send metadata of existing volumes to vCenter: the cluster
 * may have been restored from an old backup, so missing objects are no reason to remove anything.
 */
export const createGuardedSync = (deps: GuardedSyncDeps): GuardedSync => {
  const { kube, namespace, view, fullSync, events, clock } = deps;
  const lastSync = deps.metrics.gauge({
    name: 'vdo_csi_full_sync_timestamp_seconds',
    help: 'Time at which the last full sync ended.',
  });
  const counted = createConfigMapState<{ readonly volumes?: number }>(
    { client: kube, namespace, name: syncReportName, key: 'counted' },
    {},
  );
  const forget = `-n ${namespace} patch configmap ${syncReportName} --type=json -p '[{"op":"remove","path":"/data/counted"}]'`;
  let stopped = false;

  const count = () => counted.save({ volumes: view.volumes().length });
  const whyNotBelieved = async (): Promise<VdoError | undefined> => {
    const { volumes } = await counted.load();
    try {
      assertNotShrunk(volumes, view.volumes().length, forget);
      stopped = false;
      return undefined;
    } catch (cause) {
      stopped = true;
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: syncReportName };
      const error = toVdoError(cause);
      events.record(reference, { type: 'Warning', reason: 'FullSyncStopped', message: eventMessage(error) });
      return error;
    }
  };

  return {
    isStopped: () => stopped,
    count: async () => {
      await count();
      return undefined;
    },
    reconcile: async (_key, { signal }) => {
      const doubt = await whyNotBelieved();
      const { orphans, failure, shared } = await fullSync(signal, { isBelieved: doubt === undefined });
      if (doubt) throw doubt;
      // Each heartbeat checks again whether the ID is shared.
      if (shared) return { requeueAfterMs: beatMs };
      deps.onSynced();
      if (!orphans) throw failure;
      await deps.reportOrphans(orphans);
      await count();
      lastSync.set({}, clock.now() / 1000);
      return { requeueAfterMs: deps.fullSyncMs };
    },
  };
};
