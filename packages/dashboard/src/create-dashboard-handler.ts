import { type Clock, sleep } from '@vdo/base/clock';
import { type HttpResponse, type HttpTransport, httpResponse } from '@vdo/base/http';
import assets from './gen/page.json' with { type: 'json' };
import type { DashboardSource } from './model.ts';

export interface DashboardHandlerOptions {
  readonly source: DashboardSource;
  readonly clock: Clock;
  /** Where the page is mounted: empty, or `/dashboard`. */
  readonly basePath?: string;
}

/** The page needs nothing from elsewhere, and nothing else may be put into it. */
const security = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

const files: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  '/': { type: 'text/html; charset=utf-8', text: assets.html },
  '/dashboard.css': { type: 'text/css; charset=utf-8', text: assets.css },
  '/dashboard.js': { type: 'text/javascript; charset=utf-8', text: assets.js },
};

/** Changes come in bursts; a reader cannot follow more than a few a second. */
const gatherMs = 200;
/** Proxies drop silent connections. */
const keepAliveMs = 15_000;

const encoder = new TextEncoder();

async function* stream(source: DashboardSource, clock: Clock, gone: AbortSignal): AsyncGenerator<Uint8Array> {
  let changed = true;
  let wake = (): void => undefined;
  const stop = source.onChange(() => {
    changed = true;
    wake();
  });
  const nextChange = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.schedule(() => resolve(), keepAliveMs);
      wake = () => {
        cancel();
        resolve();
      };
      gone.addEventListener('abort', wake, { once: true });
    });
  try {
    while (!gone.aborted) {
      const news = changed ? `data: ${JSON.stringify(source.current())}\n\n` : ': still here\n\n';
      // Before the reader takes it: what changes while it does is news again.
      changed = false;
      yield encoder.encode(news);
      await sleep(clock, gatherMs, { signal: gone }).catch(() => undefined);
      if (!changed && !gone.aborted) await nextChange();
    }
  } finally {
    stop();
  }
}

const text = (status: number, body: string): HttpResponse =>
  httpResponse(status, `${body}\n`, { 'content-type': 'text/plain; charset=utf-8' });

/** Serves the page, its facts as JSON and as a live stream. Read-only: there is nothing to post. */
export const createDashboardHandler = (options: DashboardHandlerOptions): HttpTransport => {
  const { source, clock, basePath = '' } = options;
  return async ({ method, path, signal }) => {
    const { pathname } = new URL(path, 'http://dashboard');
    if (method !== 'GET' && method !== 'HEAD') return { ...text(405, 'read-only'), headers: { allow: 'GET, HEAD' } };
    if (pathname === basePath && basePath !== '') return httpResponse(308, '', { location: `${basePath}/` });
    if (!pathname.startsWith(`${basePath}/`)) return text(404, 'not found');
    const local = pathname.slice(basePath.length);
    const file = files[local];
    if (file) return httpResponse(200, file.text, { ...security, 'content-type': file.type });
    if (local === '/model') {
      return httpResponse(200, JSON.stringify(source.current()), { ...security, 'content-type': 'application/json' });
    }
    if (local === '/stream') {
      const gone = signal ?? new AbortController().signal;
      return {
        status: 200,
        headers: { ...security, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
        body: stream(source, clock, gone),
      };
    }
    return text(404, 'not found');
  };
};
