import type { Clock } from '@vdo/base/clock';
import type { HttpHeaders, HttpTransport } from '@vdo/base/http';
import type { Metrics } from '@vdo/base/metrics';
import { createApiCaller } from './api-caller.ts';
import type { KubeClient } from './client.ts';
import { createDiscovery } from './discovery.ts';
import { createLogReader } from './log-reader.ts';
import { createPodProxy } from './pod-proxy.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createReader } from './reader.ts';
import { createWatcher } from './watcher.ts';
import { createWriter } from './writer.ts';

export interface KubeClientOptions {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  /** Named in messages. Default `the API server`. */
  readonly server?: string;
  /** Prefix of every path where the API server lies behind one (`/k8s/clusters/c-1`). Default none. */
  readonly basePath?: string;
  /** The credentials, requested for each request. */
  readonly authHeaders?: () => Promise<HttpHeaders>;
  /** Called once per request that was refused because of its credentials; true repeats the request. */
  readonly refreshCredentials?: () => Promise<boolean>;
  /** Field manager of create, update and patch. Default: the server derives it from the user agent. */
  readonly fieldManager?: string;
  /** Default `vdo`. */
  readonly userAgent?: string;
  /** Requests per second on average; Leases and further pages of a list do not count. Default 50; 0 is unlimited. */
  readonly qps?: number;
  /** Requests that may be sent at once. Default 100. */
  readonly burst?: number;
  /** Timeout of one attempt of a call, except watches. Default 30 s. */
  readonly timeoutMs?: number;
  readonly metrics?: Metrics;
  /** Called by `close()`. */
  readonly onClose?: () => Promise<void>;
}

/** A client on any transport: the network, or a simulator. */
export const createKubeClient = (options: KubeClientOptions): KubeClient => {
  const { clock, server = 'the API server', qps = 50, burst = 100 } = options;
  const caller = createApiCaller({
    transport: options.transport,
    server,
    basePath: options.basePath ?? '',
    userAgent: options.userAgent ?? 'vdo',
    timeoutMs: options.timeoutMs ?? 30_000,
    clock,
    limiter: qps > 0 ? createRateLimiter({ clock, qps, burst }) : undefined,
    metrics: options.metrics,
    authHeaders: options.authHeaders,
    refreshCredentials: options.refreshCredentials,
  });
  return {
    ...createReader(caller),
    ...createWriter(caller, options.fieldManager),
    ...createDiscovery(caller),
    ...createLogReader(caller),
    ...createPodProxy(caller),
    watch: createWatcher(caller, { clock, server }),
    close: async () => options.onClose?.(),
  };
};
