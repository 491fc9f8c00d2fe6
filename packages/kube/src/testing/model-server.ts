import type { Clock } from '@vdo/base/clock';
import { type HttpRequest, type HttpResponse, type HttpTransport, httpResponse } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import type { ConfigMap } from '../types/core.ts';

interface Entry {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ConfigMap;
}

interface OpenWatch {
  /** Reports only later versions, as a real server does, even if that version never existed. */
  readonly from: number;
  readonly push: (line: string) => void;
  readonly end: (error?: Error) => void;
}

/** What goes wrong with the next request; undefined lets it pass. */
export type RequestFault = 'error-500' | 'throttled' | 'refused' | undefined;

export interface ModelServer {
  readonly transport: HttpTransport;
  /** Creates, changes or, without data, deletes ConfigMap `name` of namespace `a`. */
  put(name: string, data: string | undefined): void;
  state(): ReadonlyMap<string, ConfigMap>;
  /** The version of the last change. */
  version(): string;
  /** The state at a version, however old. */
  stateAt(version: string): ReadonlyMap<string, ConfigMap>;
  /** Forgets the history: versions before now are answered with 410, pages too. */
  compact(): void;
  /** Restores the state of an earlier version, from a backup, with that version. */
  restore(version: string): void;
  /** Breaks every open watch, if requested in the middle of a line. */
  dropWatches(options?: { readonly midLine?: boolean }): void;
  /** The open watches stay open but report nothing any more, as over a connection that a firewall dropped. */
  hangWatches(): void;
  /** Short watches get no bookmark any more. */
  muteBookmarks(): void;
  bookmark(): void;
  /** Decides over each request before it is looked at. */
  faults(next: () => RequestFault): void;
  /** How many watches are open. */
  watches(): number;
}

/** Small, so that a list of a test has several. */
const largestPage = 7;
/** A watch that ends so soon gets its bookmark at once; a real server sends it two seconds before the end. */
const shortWatchSeconds = 3;

/**
 * The minimum of an API server for an informer: versions, pages, watches, compaction, and failures on demand. With a clock it ends
 * short watches in time.
 */
export const createModelServer = (refusal: () => Error, clock?: Pick<Clock, 'schedule'>): ModelServer => {
  const objects = new Map<string, ConfigMap>();
  const watches = new Set<OpenWatch>();
  const snapshots = new Map<string, readonly ConfigMap[]>();
  const past: (readonly [version: number, state: ReadonlyMap<string, ConfigMap>])[] = [[0, new Map()]];
  let history: Entry[] = [];
  let version = 10;
  let forgottenUpTo = 0;
  let nextUid = 1;
  let isMute = false;
  let hung: ReadonlySet<OpenWatch> = new Set();
  let nextFault: () => RequestFault = () => undefined;

  const lineOf = ({ type, object }: { readonly type: string; readonly object: unknown }) =>
    `${JSON.stringify({ type, object })}\n`;
  const bookmarkLine = (): string => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: String(version) } };
    return lineOf({ type: 'BOOKMARK', object });
  };
  const status = (code: number, reason: string): HttpResponse =>
    httpResponse(code, JSON.stringify({ kind: 'Status', status: 'Failure', code, reason, message: reason }));

  const list = (query: URLSearchParams): HttpResponse => {
    const [atVersion = String(version), start = '0'] = (query.get('continue') ?? `${version}/0`).split('/');
    if (Number(atVersion) < forgottenUpTo) return status(410, 'Expired');
    const all = snapshots.get(atVersion) ?? [...objects.values()];
    const wanted = Number(query.get('limit') ?? 0);
    const limit = wanted === 0 ? all.length : Math.min(wanted, largestPage);
    const end = Number(start) + limit;
    const more = end < all.length;
    if (more) snapshots.set(atVersion, all);
    const metadata = { resourceVersion: atVersion, ...(more && { continue: `${atVersion}/${end}` }) };
    return httpResponse(200, JSON.stringify({ metadata, items: all.slice(Number(start), end) }));
  };

  const watch = (query: URLSearchParams, signal: AbortSignal | undefined): HttpResponse => {
    const from = Number(query.get('resourceVersion') ?? 0);
    if (from < forgottenUpTo) return status(410, 'Expired');
    const queue: string[] = history.filter((entry) => entry.version > from).map(lineOf);
    const isShort = Number(query.get('timeoutSeconds') ?? 300) <= shortWatchSeconds;
    if (isShort && !isMute && from <= version) queue.push(bookmarkLine());
    let ended: { readonly error: Error | undefined } | undefined;
    let wake = () => {};
    const open: OpenWatch = {
      from,
      push: (line) => {
        queue.push(line);
        wake();
      },
      end: (error) => {
        ended ??= { error };
        watches.delete(open);
        wake();
      },
    };
    watches.add(open);
    if (isShort) clock?.schedule(() => open.end(), shortWatchSeconds * 1000);
    signal?.addEventListener('abort', () => open.end(new Error('aborted')));
    const body = async function* () {
      for (;;) {
        for (let line = queue.shift(); line !== undefined; line = queue.shift()) yield new TextEncoder().encode(line);
        if (ended?.error) throw ended.error;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    return { status: 200, headers: {}, body: body() };
  };

  const answer = ({ path, signal }: HttpRequest): HttpResponse => {
    const fault = nextFault();
    if (fault === 'refused') throw refusal();
    if (fault === 'error-500') return status(500, 'InternalError');
    if (fault === 'throttled') return { ...status(429, 'TooManyRequests'), headers: { 'retry-after': '1' } };
    const query = new URL(path, 'http://model').searchParams;
    return query.get('watch') === 'true' ? watch(query, signal) : list(query);
  };

  const sendToWatches = (line: string, isFor = (_watch: OpenWatch) => true): void => {
    for (const watch of watches) if (!hung.has(watch) && isFor(watch)) watch.push(line);
  };

  const record = (type: Entry['type'], object: ConfigMap): void => {
    const entry = { version, type, object };
    history.push(entry);
    past.push([version, new Map(objects)]);
    sendToWatches(lineOf(entry), ({ from }) => from < entry.version);
  };

  return {
    transport: async (request) => answer(request),
    state: () => objects,
    version: () => String(version),
    stateAt: (at) => past.findLast(([since]) => since <= Number(at))?.[1] ?? new Map(),
    hangWatches: () => {
      hung = new Set(watches);
    },
    watches: () => watches.size,
    faults: (next) => {
      nextFault = next;
    },
    put: (name, data) => {
      const previous = objects.get(name);
      if (data === undefined && !previous) return;
      version += 1;
      const uid = previous?.metadata.uid ?? `uid-${nextUid++}`;
      const metadata = { name, namespace: 'a', uid, resourceVersion: String(version) };
      if (data === undefined) {
        objects.delete(name);
        record('DELETED', { apiVersion: 'v1', kind: 'ConfigMap', ...previous, metadata });
        return;
      }
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value: data } };
      objects.set(name, object);
      record(previous ? 'MODIFIED' : 'ADDED', object);
    },
    compact: () => {
      history = [];
      snapshots.clear();
      forgottenUpTo = version;
    },
    restore: (to) => {
      const state = past.findLast(([since]) => since <= Number(to))?.[1] ?? new Map();
      objects.clear();
      for (const [name, object] of state) objects.set(name, object);
      version = Number(to);
      history = history.filter((entry) => entry.version <= version);
    },
    dropWatches: ({ midLine = false } = {}) => {
      for (const { push, end } of [...watches]) {
        if (midLine) push('{"type":"ADDED","object":{"metada');
        end(midLine ? new HttpFailure('interrupted', 'socket hang up') : undefined);
      }
    },
    muteBookmarks: () => {
      isMute = true;
    },
    bookmark: () => {
      sendToWatches(bookmarkLine(), ({ from }) => from <= version);
    },
  };
};
