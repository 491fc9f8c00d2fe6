import type { Metrics } from '@vdo/base/metrics';

export type ReconcileOutcome = 'done' | 'requeued' | 'failed' | 'terminal';

/** The metrics that every controller has. */
export const createControllerMetrics = (metrics: Metrics | undefined, controller: string) => {
  const labels = ['controller'] as const;
  const depth = metrics?.gauge<'controller'>({
    name: 'vdo_controller_queue_depth',
    help: 'Keys waiting for a worker.',
    labels,
  });
  const waitSeconds = metrics?.histogram<'controller'>({
    name: 'vdo_controller_queue_seconds',
    help: 'How long a key waits for a worker.',
    labels,
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 60, 300],
  });
  const reconciles = metrics?.counter<'controller' | 'result'>({
    name: 'vdo_controller_reconciles_total',
    help: 'Reconciles by result: done, requeued, failed (retried with backoff) or terminal (not retried until something changes).',
    labels: ['controller', 'result'],
  });
  const reconcileSeconds = metrics?.histogram<'controller'>({
    name: 'vdo_controller_reconcile_seconds',
    help: 'Duration of a reconcile.',
    labels,
    buckets: [0.005, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
  });
  return {
    depth: (keys: number) => depth?.set({ controller }, keys),
    waited: (seconds: number) => waitSeconds?.observe({ controller }, seconds),
    ended: (result: ReconcileOutcome, durationMs: number) => {
      reconciles?.add({ controller, result });
      reconcileSeconds?.observe({ controller }, durationMs / 1000);
    },
  };
};
