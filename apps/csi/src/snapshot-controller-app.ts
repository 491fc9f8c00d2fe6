import { type ActLog, createActLog } from '@vdo/acts/act-log';
import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { eventComponents } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { createLeaderElector, type LeaseTimes } from '@vdo/kube/create-leader-elector';
import { createEventRecorder } from '@vdo/kube/events';
import { runSnapshotController, snapshotControllerLease } from './loops/snapshots/snapshot-controller.ts';
import { awaitSnapshotApi } from './loops/snapshots/snapshot-informers.ts';

export interface SnapshotControllerAppDeps extends LeaseTimes {
  readonly kube: KubeClient;
  /** Namespace of the Lease. */
  readonly leaseNamespace: string;
  /** Records what was deleted, with the evidence. */
  readonly actLog?: ActLog;
  /** Unique among all replicas. */
  readonly identity: string;
  readonly workers?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The snapshot-controller role: waits for the snapshot API and for its Lease, then binds snapshots until aborted. */
export const runSnapshotControllerApp = async (deps: SnapshotControllerAppDeps, signal: AbortSignal): Promise<void> => {
  const { kube, leaseNamespace: namespace, identity, actLog = createActLog() } = deps;
  await awaitSnapshotApi(deps, signal);
  if (signal.aborted) return;
  const elector = createLeaderElector({ ...deps, client: kube, lease: { namespace, name: snapshotControllerLease } });
  const events = createEventRecorder({
    ...deps,
    client: kube,
    component: eventComponents.snapshotController,
    instance: identity,
  });
  await elector
    .run(signal, (held) => runSnapshotController({ ...deps, events, fence: elector, actLog }, held))
    .finally(() => events.flush());
};
