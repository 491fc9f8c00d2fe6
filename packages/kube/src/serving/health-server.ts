import { type Clock, createSystemClock } from '@vdo/base/clock';
import { type HttpResponse, type HttpTransport, httpResponse } from '@vdo/base/http';
import { type HttpServer, readOnlyLimits, serveHttp } from '@vdo/base/http-server';
import type { Metrics } from '@vdo/base/metrics';
import { createEventLoopMonitor } from '../event-loop-lag.ts';

/** Undefined if healthy, else the problem. */
export type HealthCheck = () => string | undefined;

export interface HealthChecks {
  /** If one fails, the process cannot recover and the kubelet restarts it. Never depend on vCenter or the API server here. */
  readonly live?: Readonly<Record<string, HealthCheck>>;
  /** The process has work that it cannot do yet. */
  readonly ready?: Readonly<Record<string, HealthCheck>>;
}

export interface HealthServerOptions extends HealthChecks {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly metrics: Metrics;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

const report = (checks: Readonly<Record<string, HealthCheck>>, verbose: boolean) => {
  const results = Object.entries(checks).map(([name, check]) => ({ name, problem: check() }));
  const failed = results.some(({ problem }) => problem !== undefined);
  const lines = results.map(({ name, problem }) =>
    problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${problem}`,
  );
  const text = failed || verbose ? `${lines.join('\n')}\n${failed ? 'check failed' : 'check passed'}\n` : 'ok';
  return httpResponse(failed ? 500 : 200, text, { 'content-type': 'text/plain; charset=utf-8' });
};

const livePaths = ['/healthz', '/livez'];
export const isHealthPath = (path: string): boolean => path === '/readyz' || livePaths.includes(path);

export const serveMetrics = async (metrics: Metrics): Promise<HttpResponse> => {
  const { contentType, body } = await metrics.expose();
  return httpResponse(200, body, { 'content-type': contentType });
};

/** Answers /healthz, /livez and /readyz (with `?verbose`), as Kubernetes' own programs do. */
export const createHealthHandler = (options: HealthChecks): HttpTransport => {
  const { live = {}, ready = {} } = options;
  return async ({ method, path }) => {
    if (method !== 'GET' && method !== 'HEAD') return httpResponse(405, 'method not allowed\n', { allow: 'GET, HEAD' });
    const url = new URL(path, 'http://health');
    const verbose = url.searchParams.has('verbose');
    if (livePaths.includes(url.pathname)) return report(live, verbose);
    if (url.pathname === '/readyz') return report({ ...live, ...ready }, verbose);
    return httpResponse(404, 'not found; try /healthz or /readyz\n', { 'content-type': 'text/plain; charset=utf-8' });
  };
};

/** Serves health on a plain port, and measures how late the process is. Does not serve metrics. */
export const startHealthServer = async (options: HealthServerOptions): Promise<HttpServer> => {
  const { host, port, metrics, clock = createSystemClock() } = options;
  const server = await serveHttp({
    ...{ host, port, limits: readOnlyLimits },
    handler: createHealthHandler(options),
  });
  const closing = new AbortController();
  const measuring = createEventLoopMonitor({ clock, metrics }).run(closing.signal);
  return {
    ...server,
    close: async () => {
      closing.abort();
      await measuring;
      await server.close();
    },
  };
};
