import type { Clock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { createDashboardHandler } from '@vdo/dashboard/create-dashboard-handler';
import { createKubeSource } from '@vdo/dashboard/source/create-kube-source';
import type { KubeClient } from '@vdo/kube/client';
import { createAuthorizedHandler } from '@vdo/kube/serving/authorized-handler';

export interface StatusPage {
  readonly handler: HttpTransport;
  /** Follows the cluster until aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** The dashboard as the operator serves it: only to callers whose token may get the path, which the API server decides. */
export const createStatusPage = (options: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Of the operator. */
  readonly namespace: string;
}): StatusPage => {
  const { client, clock, logger, metrics } = options;
  const meter = {
    of: 'the operator',
    everyMs: 60_000,
    read: async () => new Map([['operator', (await metrics.expose()).body]]),
  };
  const source = createKubeSource({ ...options, cluster: 'this cluster', meter });
  const page = createDashboardHandler({ source, clock, basePath: '/dashboard' });
  const handler = createAuthorizedHandler({ handler: page, client, clock, logger, isProtected: () => true });
  return { handler, run: (signal) => source.run(signal) };
};
