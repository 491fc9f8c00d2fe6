import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import { toVdoError, type VdoError } from '@vdo/base/vdo-error';

/** Called once at the end of every operation. */
export interface OperationObserver {
  /** Runs an operation, measures it, logs its failure and throws it as a VdoError. */
  observe<T>(operation: string, fields: Readonly<Record<string, unknown>>, run: () => Promise<T>): Promise<T>;
}

export interface OperationObserverDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** `count`: whoever asked logs the failure itself. Default: `log`. */
  readonly failures?: 'log' | 'count';
}

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

// Errors of the caller, and temporary errors, are not logged as errors of the driver.
const levelOf = (error: VdoError): 'info' | 'error' =>
  error.retry === 'never' && error.code !== 'LeaseLost' ? 'info' : 'error';

/** They change nothing, and are asked for over and over. */
const questions = /^(Probe$|List|Validate|Get|ControllerGet|NodeGet)/;

/** Metrics and log lines of CSI operations, the same for gRPC callers and for the built-in loops. */
export const createOperationObserver = ({
  clock,
  logger,
  metrics,
  failures = 'log',
}: OperationObserverDeps): OperationObserver => {
  const total = metrics.counter({
    name: 'vdo_csi_operations_total',
    help: 'CSI operations by method and outcome (OK or the error code).',
    labels: ['method', 'code'],
  });
  const duration = metrics.histogram({
    name: 'vdo_csi_operation_duration_seconds',
    help: 'Duration of CSI operations.',
    labels: ['method', 'code'],
    buckets: secondsBuckets,
  });

  return {
    observe: async (method, fields, run) => {
      const startMs = clock.monotonicMs();
      const finish = (code: string): number => {
        const seconds = (clock.monotonicMs() - startMs) / 1000;
        total.add({ method, code });
        duration.observe({ method, code }, seconds);
        return seconds;
      };
      try {
        const result = await run();
        const seconds = finish('OK');
        logger[questions.test(method) ? 'debug' : 'info']('CSI operation done', { method, ...fields, seconds });
        return result;
      } catch (cause) {
        const error = toVdoError(cause);
        const seconds = finish(error.code);
        if (failures === 'log') logger[levelOf(error)]('CSI operation failed', { method, ...fields, seconds, error });
        throw error;
      }
    },
  };
};
