import type { Clock } from '@vdo/base/clock';
import { type HttpTransport, httpResponse } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { names } from '@vdo/config/names';
import { createDashboardHandler } from '@vdo/dashboard/create-dashboard-handler';
import { createKubeSource } from '@vdo/dashboard/source/create-kube-source';
import type { KubeClient } from '@vdo/kube/client';
import { isOwnHost, serviceNames } from '@vdo/kube/serving/service-names';

export interface StatusPage {
  readonly handler: HttpTransport;
  /** Follows the cluster until aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * The dashboard as the operator serves it, on a port that lets nobody through without the right to get the path. A page of
 * another site could make a browser that adds credentials ask under a name of its own that leads here: such names are refused.
 */
export const createStatusPage = (options: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Of the operator. */
  readonly namespace: string;
  /** Further names under which it may be asked for. Default: none. */
  readonly hosts?: readonly string[];
}): StatusPage => {
  const { clock, metrics } = options;
  const known = [...serviceNames(names.operator, options.namespace), ...(options.hosts ?? [])];
  const meter = {
    of: 'the operator',
    everyMs: 60_000,
    read: async () => new Map([['operator', (await metrics.expose()).body]]),
  };
  const source = createKubeSource({ ...options, cluster: 'this cluster', meter });
  const page = createDashboardHandler({ source, clock, basePath: '/dashboard' });
  const handler: HttpTransport = async (request) =>
    isOwnHost(request.headers['host'], known)
      ? page(request)
      : httpResponse(421, 'only under the names of the operator; --dashboard-host adds another\n');
  return { handler, run: (signal) => source.run(signal) };
};
