import { type Clock, createSystemClock } from '@vdo/base/clock';
import { type HttpTransport, httpResponse } from '@vdo/base/http';
import { type HttpServer, readOnlyLimits, serveHttp } from '@vdo/base/http-server';
import type { Metrics } from '@vdo/base/metrics';
import { createEventLoopMonitor } from '../event-loop-lag.ts';

/** Undefined if all is well, else why not. */
export type HealthCheck = () => string | undefined;

export interface HealthServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly metrics: Metrics;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** The process is beyond help if one fails: kubelet restarts it. Never put vCenter or the API server here. */
  readonly live?: Readonly<Record<string, HealthCheck>>;
  /** The process has work it cannot do yet. */
  readonly ready?: Readonly<Record<string, HealthCheck>>;
  /** Serves every other path. Default: not found. */
  readonly other?: HttpTransport;
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

/** Answers /healthz, /livez, /readyz (with `?verbose`) and /metrics, as Kubernetes' own programs do. */
export const createHealthHandler = (
  options: Pick<HealthServerOptions, 'metrics' | 'live' | 'ready' | 'other'>,
): HttpTransport => {
  const { live = {}, ready = {} } = options;
  return async (request) => {
    const { method, path } = request;
    if (method !== 'GET' && method !== 'HEAD') return httpResponse(405, 'method not allowed\n', { allow: 'GET, HEAD' });
    const url = new URL(path, 'http://health');
    const verbose = url.searchParams.has('verbose');
    switch (url.pathname) {
      case '/healthz':
      case '/livez':
        return report(live, verbose);
      case '/readyz':
        return report({ ...live, ...ready }, verbose);
      case '/metrics': {
        const { contentType, body } = await options.metrics.expose();
        return httpResponse(200, body, { 'content-type': contentType });
      }
      default:
        if (options.other) return options.other(request);
        return httpResponse(404, 'not found; try /healthz, /readyz or /metrics\n', {
          'content-type': 'text/plain; charset=utf-8',
        });
    }
  };
};

/** Serves them, and measures all the while how late the process is with everything it does. */
export const startHealthServer = async (options: HealthServerOptions): Promise<HttpServer> => {
  const { host, port, tls, metrics, clock = createSystemClock() } = options;
  const server = await serveHttp({
    ...{ host, port, limits: readOnlyLimits },
    handler: createHealthHandler(options),
    ...(tls ? { tls } : {}),
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
