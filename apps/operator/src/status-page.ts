import type { Clock } from '@vdo/base/clock';
import { type HttpTransport, httpResponse } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import { createDashboardHandler } from '@vdo/dashboard/create-dashboard-handler';
import type { Inventory } from '@vdo/dashboard/inventory';
import { createKubeSource, type InventoryReader } from '@vdo/dashboard/source/create-kube-source';
import type { RatesReader } from '@vdo/dashboard/source/prometheus-rates';
import type { KubeClient } from '@vdo/kube/client';
import { isOwnHost, serviceNames } from '@vdo/kube/serving/service-names';

export interface StatusPage {
  readonly handler: HttpTransport;
  /** Follows the cluster until aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export interface StatusPageOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The namespace of the operator. */
  readonly namespace: string;
  /** Additional host names under which it is served; none by default. */
  readonly hosts?: readonly string[];
  /** The inventory of volumes in vCenter; undefined while this replica does not lead. */
  readonly inventory: () => Inventory | undefined;
  /** The source of rates from before this process started. */
  readonly rates?: RatesReader;
}

/**
 * The dashboard as the operator serves it, on a port that requires the permission to get the path. A page of
 * another site could make a browser with credentials send requests under a host name that resolves to this server: unknown names are refused.
 */
export const createStatusPage = (options: StatusPageOptions): StatusPage => {
  const { clock, metrics } = options;
  const known = [...serviceNames(names.operator, options.namespace), ...(options.hosts ?? [])];
  const meter = {
    of: 'the operator',
    everyMs: 60_000,
    read: async () => new Map([['operator', (await metrics.expose()).body]]),
  };
  const inventory: InventoryReader = {
    everyMs: 5_000,
    read: async () => {
      const known = options.inventory();
      if (known) return known;
      throw new VdoError({
        code: 'EvidenceMissing',
        message: 'this replica of the operator is not the leader, and only the leader reads vCenter',
        remedy: 'Open the page of the pod that holds the Lease vdo-operator, or run vdoctl dashboard.',
      });
    },
  };
  const source = createKubeSource({ ...options, cluster: 'this cluster', meter, inventory });
  const page = createDashboardHandler({ source, clock, basePath: '/dashboard' });
  const handler: HttpTransport = async (request) =>
    isOwnHost(request.headers['host'], known)
      ? page(request)
      : httpResponse(421, 'served only under the host names of the operator; --dashboard-host adds another\n');
  return { handler, run: (signal) => source.run(signal) };
};
