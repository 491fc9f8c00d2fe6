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

/** Share of the PersistentVolumes that may be gone since the last look. */
const tolerated = 0.1;
/** So many may be gone however few there are: a controller that is away for a moment misses a deletion. */
const toleratedAtLeast = 1;

/**
 * A cluster that has lost many PersistentVolumes since the last look, and whose deletion nobody saw, was probably restored from an older
 * backup or is a copy of another cluster. Then nothing may be concluded from what is missing.
 */
export const assertNotShrunk = (before: number | undefined, now: number, where: string): void => {
  if (before === undefined || before === 0) return;
  // None at all is what an empty cluster under the same id looks like.
  if (now > 0 && before - now <= Math.max(toleratedAtLeast, before * tolerated)) return;
  throw new VdoError({
    code: 'VolumesMissing',
    message: `the cluster has ${now} PersistentVolumes of this driver, ${before} at the last look: more than 10 % are gone`,
    remedy: `vCenter is told of what is there; nothing is taken from it, and no orphans are looked for. If the cluster was restored from a backup, restore the rest. If it is right as it is: kubectl ${where}; the number is taken anew.`,
    details: { before, now },
  });
};

export interface GuardedSyncDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly view: Pick<VolumeView, 'volumes'>;
  readonly fullSync: (signal: AbortSignal, options: FullSyncOptions) => Promise<FullSyncResult>;
  readonly reportOrphans: (orphans: Orphans) => Promise<void>;
  /** What vCenter shows is known, of those that answered. */
  readonly onSynced: () => void;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Between full syncs. */
  readonly fullSyncMs: number;
}

export interface GuardedSync {
  readonly reconcile: Reconcile;
  /** Writes down how many volumes there are. */
  readonly count: Reconcile;
  /** True while too many volumes are missing to conclude anything from what is not there. */
  isStopped(): boolean;
}

/**
 * Full syncs. While far fewer volumes are there than were counted last, they only tell vCenter of what there is: the cluster may have
 * been restored from an old backup, and what is missing in it is no reason for anything.
 */
export const createGuardedSync = (deps: GuardedSyncDeps): GuardedSync => {
  const { kube, namespace, view, fullSync, events, clock } = deps;
  const lastSync = deps.metrics.gauge({
    name: 'vdo_csi_full_sync_timestamp_seconds',
    help: 'When the last full sync ended.',
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
      // Each beat tells whether it still is.
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
