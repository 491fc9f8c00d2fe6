import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { timestamp } from '@vdo/kube/conditions';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import type { EventRecorder } from '@vdo/kube/events';
import type { Orphans } from './orphans.ts';

/** ConfigMap with the results of full syncs, for people and for vdoctl. */
export const syncReportName = names.csiSyncReport;

export interface OrphanReport extends Orphans {
  readonly at: string;
  /** Total numbers; the lists are truncated. */
  readonly counts: { readonly volumes: number; readonly snapshots: number };
}

export interface OrphanReporterDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A ConfigMap has at most 1 MiB. */
const maxListed = 500;

/** Reports orphans in a metric, in a ConfigMap, and with an event when their number changes. */
export const createOrphanReporter = (deps: OrphanReporterDeps) => {
  const { kube, namespace, events, clock, logger, metrics } = deps;
  const gauge = metrics.gauge<'kind'>({
    name: 'vdo_csi_orphans',
    help: 'Volumes and snapshots of this cluster in vCenter that Kubernetes does not know.',
    labels: ['kind'],
  });
  const store = { client: kube, namespace, name: syncReportName, key: 'orphans' };
  const state = createConfigMapState<OrphanReport | undefined>(store, undefined);
  let reported = '';
  return async ({ volumes, snapshots }: Orphans): Promise<void> => {
    gauge.set({ kind: 'volume' }, volumes.length);
    gauge.set({ kind: 'snapshot' }, snapshots.length);
    const fingerprint = JSON.stringify([volumes.map(({ id }) => id), snapshots.map(({ id }) => id)]);
    if (fingerprint === reported) return;
    const counts = { volumes: volumes.length, snapshots: snapshots.length };
    await state.save({
      at: timestamp(clock.now()),
      counts,
      volumes: volumes.slice(0, maxListed),
      snapshots: snapshots.slice(0, maxListed),
    });
    const wasTold = reported !== '';
    reported = fingerprint;
    if (volumes.length + snapshots.length === 0 && !wasTold) return;
    logger.warn('volumes or snapshots in vCenter that Kubernetes does not know', counts);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: syncReportName };
    const message = `vCenter has ${volumes.length} volumes and ${snapshots.length} snapshots of this cluster that Kubernetes does not know; see ConfigMap ${syncReportName}`;
    events.record(reference, { type: 'Warning', reason: 'OrphansFound', message });
  };
};
