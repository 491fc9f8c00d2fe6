import type { Clock } from '@vdo/base/clock';
import { sleep } from '@vdo/base/clock';
import { type HttpTransport, httpResponse } from '@vdo/base/http';
import { type HttpServer, readOnlyLimits, serveHttp } from '@vdo/base/http-server';
import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { KubeClient } from '../client.ts';
import { createEventLoopMonitor } from '../event-loop-lag.ts';
import { createAuthorizedHandler } from './authorized-handler.ts';
import type { Certificate, CertificateSource } from './certificate-source.ts';
import { createHealthHandler, type HealthChecks, isHealthPath, serveMetrics } from './health-server.ts';

export interface Endpoint {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

export interface ServingOptions extends HealthChecks {
  /** For the kubelet: plain HTTP, without metrics. Absent: health is served on the secure port. */
  readonly health?: Endpoint;
  /** For users with the permission: HTTPS, a bearer token and the permission to get the path. Absent: metrics are not served. */
  readonly secure?: Endpoint & { readonly certificate: CertificateSource };
  /** Decides who may read. RBAC: create of tokenreviews and subjectaccessreviews. */
  readonly client: Pick<KubeClient, 'create'>;
  readonly metrics: Metrics;
  /** Serves every other path of the secure port. Default: not found. */
  readonly pages?: HttpTransport;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How often a mounted certificate is read again. */
const renewEveryMs = 60_000;

const securePaths = (options: ServingOptions): HttpTransport => {
  const health = createHealthHandler(options);
  return async (request) => {
    const { pathname } = new URL(request.path, 'https://secure');
    if (pathname === '/metrics') return serveMetrics(options.metrics);
    if (isHealthPath(pathname) && !options.health) return health(request);
    return options.pages?.(request) ?? httpResponse(404, 'not found; try /metrics\n', { 'content-type': 'text/plain' });
  };
};

const followCertificate = async (
  server: HttpServer,
  { source, first, clock, logger }: Followed,
  signal: AbortSignal,
): Promise<void> => {
  let shown = first;
  while (!signal.aborted) {
    await sleep(clock, renewEveryMs, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const next = await source();
      if (next.cert === shown.cert && next.key === shown.key) continue;
      server.renewTls(next);
      shown = next;
      logger.info('serving with a new certificate', {});
    } catch (error) {
      // It may be half written: the current certificate stays in use.
      logger.warn('cannot read the serving certificate; the current one stays in use', { error });
    }
  }
};

interface Followed {
  readonly source: CertificateSource;
  readonly first: Certificate;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Serves health to the kubelet and metrics to users with the permission, and measures how late the process is. */
export const startServing = async (options: ServingOptions): Promise<{ close(): Promise<void> }> => {
  const { health, secure, metrics, clock, logger } = options;
  const closing = new AbortController();
  const running: Promise<void>[] = [createEventLoopMonitor({ clock, metrics }).run(closing.signal)];
  const servers: HttpServer[] = [];
  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all([...running, ...servers.map((server) => server.close())]);
  };
  try {
    if (secure) {
      const tls = await secure.certificate();
      // The kubelet has no token.
      const isProtected = (path: string) => Boolean(health) || !isHealthPath(path);
      const handler = createAuthorizedHandler({ ...options, handler: securePaths(options), isProtected });
      const { host, port } = secure;
      const server = await serveHttp({ host, port, limits: readOnlyLimits, handler, tls });
      servers.push(server);
      running.push(
        followCertificate(server, { source: secure.certificate, first: tls, clock, logger }, closing.signal),
      );
      logger.info('serving metrics', { url: server.url });
    }
    if (health) {
      const server = await serveHttp({ ...health, limits: readOnlyLimits, handler: createHealthHandler(options) });
      servers.push(server);
      logger.info('serving health', { url: server.url });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
};
