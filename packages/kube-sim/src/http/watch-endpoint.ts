import type { HttpResponse } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import { parseRevision, selection } from '../api/read.ts';
import { apiVersionOfTarget, inVersion } from '../api/target.ts';
import { type WatchLine, watchObjects } from '../api/watch.ts';
import { futureVersion } from '../api-error.ts';
import { metadataOf, tableOf } from '../tables/table.ts';
import { negotiate } from './negotiate.ts';
import type { Exchange } from './resource-endpoints.ts';
import { listOptions } from './resource-endpoints.ts';

export interface WatchSettings {
  /** How often an idle watch that asked for bookmarks gets one. */
  readonly bookmarkEveryMs: number;
  /** Breaks the connection, as a crash does. */
  readonly broken: AbortSignal;
}

const encoderFor = (exchange: Exchange): ((line: WatchLine) => string) => {
  const { deps, encoder, target, query, request } = exchange;
  const representation = negotiate(request.headers['accept']);
  const isPlain = representation === 'object';
  let isFirst = true;
  const content = (line: Exclude<WatchLine, { type: 'ERROR' | 'BOOKMARK' }>): string => {
    const object = inVersion(line.object, target);
    if (isPlain) return encoder.object(object);
    if (representation === 'metadata') return JSON.stringify(metadataOf(object));
    const include = query.get('includeObject');
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    const table = tableOf(target, [object], {
      nowMs: deps.clock.now(),
      include: include === 'None' || include === 'Object' ? include : 'Metadata',
      metadata,
      withColumns: isFirst,
    });
    isFirst = false;
    return JSON.stringify(table);
  };
  const bookmark = (revision: number, isInitialEnd: boolean): object => ({
    kind: isPlain ? target.definition.kind : 'PartialObjectMetadata',
    apiVersion: isPlain ? apiVersionOfTarget(target) : 'meta.k8s.io/v1',
    metadata: {
      resourceVersion: String(revision),
      creationTimestamp: null,
      ...(isInitialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
  });
  return (line) => {
    if (line.type === 'ERROR') return JSON.stringify(line);
    if (line.type === 'BOOKMARK')
      return JSON.stringify({ type: line.type, object: bookmark(line.revision, line.isInitialEnd) });
    return `{"type":"${line.type}","object":${content(line)}}`;
  };
};

const utf8 = new TextEncoder();

/** Starts a watch. Its body ends when the time is up and throws when the reader is gone or the connection breaks. */
export const watchReply = (exchange: Exchange, settings: WatchSettings): HttpResponse => {
  const { deps, target, query, request } = exchange;
  const resourceVersion = query.get('resourceVersion') ?? '';
  const sendsInitial = query.get('sendInitialEvents') === 'true';
  const since = sendsInitial || ['', '0'].includes(resourceVersion) ? undefined : parseRevision(resourceVersion);
  if (since !== undefined && since > deps.store.revision()) throw futureVersion(since, deps.store.revision());
  const bookmarks = query.get('allowWatchBookmarks') === 'true';
  // A real server ends a watch without a given limit after 30 to 60 minutes, so that clients spread out again.
  const timeoutMs = Number(query.get('timeoutSeconds') || 1_800 + deps.random.next() * 1_800) * 1_000;
  const gone = request.signal;
  const lines = watchObjects(deps.store, deps.clock, {
    bucket: target.definition.bucket,
    matches: selection(target, listOptions(exchange)),
    since,
    bookmarks,
    marksInitialEnd: sendsInitial && bookmarks,
    timeoutMs,
    bookmarkEveryMs: settings.bookmarkEveryMs,
    signal: gone ? AbortSignal.any([settings.broken, gone]) : settings.broken,
  });
  const encode = encoderFor(exchange);
  const body = (async function* () {
    for await (const line of lines) yield utf8.encode(`${encode(line)}\n`);
    gone?.throwIfAborted();
    if (settings.broken.aborted) throw new HttpFailure('interrupted', 'the simulated connection broke');
  })();
  return { status: 200, headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }, body };
};
