import type { Clock } from '@vdo/base/clock';
import type { Metrics } from '@vdo/base/metrics';
import { isVdoError } from '@vdo/base/vdo-error';
import type { VerbTarget } from './request-path.ts';

/** Counts and times requests by verb, resource and outcome. */
export const createRequestMetrics = (metrics: Metrics | undefined, clock: Clock) => {
  const requests = metrics?.counter<'verb' | 'resource' | 'code'>({
    name: 'vdo_kube_requests_total',
    help: 'Requests to the Kubernetes API by verb, resource and outcome.',
    labels: ['verb', 'resource', 'code'],
  });
  const seconds = metrics?.histogram<'verb'>({
    name: 'vdo_kube_request_seconds',
    help: 'Duration of requests to the Kubernetes API; for a watch, until its first byte.',
    labels: ['verb'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });

  return async <T>({ verb, resource }: VerbTarget, request: () => Promise<T>): Promise<T> => {
    const startedMs = clock.monotonicMs();
    const record = (code: string) => {
      requests?.add({ verb, resource: resource.plural, code });
      seconds?.observe({ verb }, (clock.monotonicMs() - startedMs) / 1000);
    };
    try {
      const result = await request();
      record('ok');
      return result;
    } catch (error) {
      record(codeOf(error));
      throw error;
    }
  };
};

const codeOf = (error: unknown): string => {
  const status = isVdoError(error) ? error.details['status'] : undefined;
  return typeof status === 'number' ? String(status) : 'error';
};
