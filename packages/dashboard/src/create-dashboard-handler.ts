import { onAbort } from '@vdo/base/async/on-abort';
import { type Clock, sleep } from '@vdo/base/clock';
import { type HttpResponse, type HttpTransport, httpResponse } from '@vdo/base/http';
import assets from './gen/page.json' with { type: 'json' };
import words from './gen/words.json' with { type: 'json' };
import { createLedger, type Position } from './ledger.ts';
import type { DashboardSource } from './model.ts';

export interface DashboardHandlerOptions {
  readonly source: DashboardSource;
  readonly clock: Clock;
  /** Where the page is mounted: empty, or `/dashboard`. */
  readonly basePath?: string;
}

/** The page loads nothing from elsewhere, and no other page may embed it. */
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
  // Fetched when a reader opens the explanation of a word.
  '/words.json': { type: 'application/json', text: JSON.stringify(words) },
  '/dashboard.js': { type: 'text/javascript; charset=utf-8', text: assets.js },
};

/** Changes come in bursts: a reader is sent at most ten updates a second. */
const gatherMs = 100;
/** A model that is slow to build is built less often, but still within a second of a change. */
const longestGatherMs = 400;
/** Proxies drop silent connections, and the page must notice when the server is gone. */
const heartbeatMs = 15_000;

const encoder = new TextEncoder();

/** One ledger for all readers, brought up to date while there is one. */
const createFeed = (source: DashboardSource, clock: Clock) => {
  const ledger = createLedger();
  let isDirty = true;
  let tookMs = 0;
  return {
    touch: (): void => {
      isDirty = true;
    },
    pauseMs: (): number => Math.min(longestGatherMs, Math.max(gatherMs, 3 * tookMs)),
    since: (position: Position | undefined) => {
      if (isDirty) {
        isDirty = false;
        const beganMs = clock.monotonicMs();
        ledger.take(source.current());
        tookMs = clock.monotonicMs() - beganMs;
      }
      return ledger.since(position);
    },
  };
};

type Feed = ReturnType<typeof createFeed>;

interface StreamInput {
  readonly source: DashboardSource;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly gone: AbortSignal;
}

async function* stream({ source, feed, clock, gone }: StreamInput): AsyncGenerator<Uint8Array> {
  let changed = true;
  let wake = (): void => undefined;
  // Changes are not tracked without readers.
  feed.touch();
  const stop = source.onChange(() => {
    changed = true;
    feed.touch();
    wake();
  });
  const nextChange = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.schedule(() => wake(), heartbeatMs);
      let stopListening = () => {};
      wake = () => {
        cancel();
        stopListening();
        resolve();
      };
      stopListening = onAbort(gone, wake);
    });
  let position: Position | undefined;
  try {
    while (!gone.aborted) {
      // Some facts change by time alone.
      if (!changed) feed.touch();
      // Before the reader takes it: a change in the meantime is sent next.
      changed = false;
      const news = feed.since(position);
      position = news.position;
      const messages = news.messages.length > 0 ? news.messages : [`{"asOfMs":${clock.now()}}`];
      for (const message of messages) yield encoder.encode(`data: ${message}\n\n`);
      await sleep(clock, feed.pauseMs(), { signal: gone }).catch(() => undefined);
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
  const feed = createFeed(source, clock);
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
        body: stream({ source, feed, clock, gone }),
      };
    }
    return text(404, 'not found');
  };
};
