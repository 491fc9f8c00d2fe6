import type { ErrorCode } from '@vdo/base/error-codes';
import type { Metrics } from '@vdo/base/metrics';

/** From one second to seventeen minutes, the same buckets as in the Kubernetes cloud-node controller. */
const buckets = [1, 4, 16, 64, 256, 1024];

export interface NodeMetrics {
  /** Seconds from the creation of the Node. */
  initialized(delaySeconds: number): void;
  failed(code: ErrorCode): void;
  /** Result of a search for the VM of a node that is not ready. */
  lookedFor(found: 'present' | 'missing' | 'unknown'): void;
}

export const createNodeMetrics = (metrics: Metrics): NodeMetrics => {
  const taintRemoval = metrics.histogram({
    name: 'node_controller_cloud_provider_taint_removal_delay_seconds',
    help: 'Seconds from the creation of a node to the removal of its cloud-provider taint.',
    buckets,
  });
  const initialSync = metrics.histogram({
    name: 'node_controller_initial_node_sync_delay_seconds',
    help: 'Seconds from the creation of a node to the end of its first synchronization.',
    buckets,
  });
  const failures = metrics.counter<'code'>({
    name: 'vdo_cpi_node_failures_total',
    help: 'Failed attempts to synchronize a node, by error code.',
    labels: ['code'],
  });
  const looks = metrics.counter<'found'>({
    name: 'vdo_cpi_node_looks_total',
    help: 'Searches for the VM of a node that is not ready, by result: present, missing or unknown.',
    labels: ['found'],
  });
  return {
    initialized: (delaySeconds) => {
      taintRemoval.observe({}, delaySeconds);
      initialSync.observe({}, delaySeconds);
    },
    failed: (code) => failures.add({ code }),
    lookedFor: (found) => looks.add({ found }),
  };
};
