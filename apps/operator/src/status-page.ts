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
  /** Of the operator. */
  readonly namespace: string;
  /** Further names under which it may be asked for. Default: none. */
  readonly hosts?: readonly string[];
  /** Of volumes in vCenter; undefined while this replica does not lead. */
  readonly inventory: () => Inventory | undefined;
  /** Where rates are read that this process has not seen. */
  readonly rates?: RatesReader;
}

/**
 * The dashboard as the operator serves it, on a port that lets nobody through without the right to get the path. A page of
 * another site could make a browser that adds credentials ask under a name of its own that leads here: such names are refused.
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
        message: 'this replica of the operator does not lead, and only the leader reads vCenter',
        remedy: 'Open the page of the pod that holds the Lease vdo-operator, or use vdoctl dashboard.',
      });
    },
  };
  const source = createKubeSource({ ...options, cluster: 'this cluster', meter, inventory });
  const page = createDashboardHandler({ source, clock, basePath: '/dashboard' });
  const handler: HttpTransport = async (request) =>
    isOwnHost(request.headers['host'], known)
      ? page(request)
      : httpResponse(421, 'only under the names of the operator; --dashboard-host adds another\n');
  return { handler, run: (signal) => source.run(signal) };
};
