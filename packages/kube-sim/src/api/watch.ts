import type { Clock } from '@vdo/base/clock';
import type { AnyObject } from '@vdo/kube/types/object';
import { expired } from '../api-error.ts';
import type { ObjectMatcher } from '../selectors/field-selector.ts';
import type { Store, StoreEvent } from '../store/store.ts';

/** One line of a watch, before it is encoded. */
export type WatchLine =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: AnyObject }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly isInitialEnd: boolean }
  | { readonly type: 'ERROR'; readonly object: object };

export interface WatchRequest {
  readonly bucket: string;
  readonly matches: ObjectMatcher;
  /** Changes after this revision are sent. Undefined: first everything that exists, as ADDED. */
  readonly since: number | undefined;
  readonly bookmarks: boolean;
  /** Send a bookmark that marks the end of the initial objects. */
  readonly marksInitialEnd: boolean;
  readonly timeoutMs: number;
  readonly bookmarkEveryMs: number;
  /** Ends the watch without an error. */
  readonly signal: AbortSignal;
}

/** What a change means to a watcher that sees only some objects. */
const visible = (event: StoreEvent, matches: ObjectMatcher): WatchLine | undefined => {
  const wasSeen = event.previous !== undefined && matches(event.previous);
  const isSeen = event.type !== 'DELETED' && matches(event.object);
  if (isSeen) return { type: wasSeen ? 'MODIFIED' : 'ADDED', object: event.object };
  if (!wasSeen || !event.previous) return undefined;
  // Left the selection: its last visible state, with the version of the change.
  const { resourceVersion } = event.object.metadata;
  const last = event.type === 'DELETED' ? event.object : event.previous;
  return {
    type: 'DELETED',
    object: { ...last, metadata: { ...last.metadata, ...(resourceVersion && { resourceVersion }) } },
  };
};

/** A watch gets its last bookmark this long before its end, if its total time allows it. */
const lastBookmarkBeforeEndMs = 2_000;

interface Delivery {
  readonly events: readonly StoreEvent[];
  /** Everything up to this revision has been delivered. */
  readonly bookmark?: number;
}

/** Wakes a watch. Changes are queued here, so that they can still be delivered after the store has compacted them. */
const createInbox = (store: Store, clock: Clock, request: WatchRequest) => {
  let events: StoreEvent[] = [];
  const startRevision = request.since ?? store.revision();
  let isBookmarkDue = false;
  let isOver = false;
  let wake = () => {};
  const unsubscribe = store.onChange((event) => {
    // After a restore from a backup, the requested revision may be in the future. Until it is reached nothing is sent, as by a real API server.
    if (event.bucket !== request.bucket || event.revision <= startRevision) return;
    events.push(event);
    wake();
  });
  const endMs = clock.monotonicMs() + request.timeoutMs;
  let cancelBookmark = () => {};
  const scheduleBookmark = () => {
    const delayMs = Math.min(request.bookmarkEveryMs, endMs - lastBookmarkBeforeEndMs - clock.monotonicMs());
    if (delayMs < 0) return;
    cancelBookmark = clock.schedule(() => {
      isBookmarkDue = true;
      wake();
      if (delayMs === request.bookmarkEveryMs) scheduleBookmark();
    }, delayMs);
  };
  const end = () => {
    isOver = true;
    unsubscribe();
    cancelBookmark();
    cancelTimeout();
    request.signal.removeEventListener('abort', end);
    wake();
  };
  const cancelTimeout = clock.schedule(end, request.timeoutMs);
  if (request.bookmarks) scheduleBookmark();
  request.signal.addEventListener('abort', end, { once: true });
  if (request.signal.aborted) end();

  return {
    end,
    /** Undefined when the watch is over. */
    next: async (): Promise<Delivery | undefined> => {
      if (events.length === 0 && !isBookmarkDue && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (isOver) return undefined;
      const taken = events;
      events = [];
      isBookmarkDue = false;
      if (taken.length > 0 || store.revision() < startRevision) return { events: taken };
      return { events: [], bookmark: Math.max(startRevision, store.progress(request.bucket)) };
    },
  };
};

/** Streams changes until the time is up or the reader leaves. A compacted revision gives one ERROR (410). */
export const watchObjects = (store: Store, clock: Clock, request: WatchRequest): AsyncGenerator<WatchLine> => {
  const { bucket, matches, since } = request;
  const revision = store.revision();
  const missed = since === undefined ? [] : store.since(bucket, since);
  const initial = since === undefined ? store.list(bucket).filter(matches) : [];
  // Listening starts with the request, not with the first read of its reply.
  const inbox = createInbox(store, clock, request);

  return (async function* () {
    try {
      if (!missed) {
        yield { type: 'ERROR', object: expired(since ?? 0, store.compactedRevision()).reply };
        return;
      }
      for (const object of initial) yield { type: 'ADDED', object };
      if (request.marksInitialEnd) yield { type: 'BOOKMARK', revision, isInitialEnd: true };
      for (let delivery: Delivery | undefined = { events: missed }; delivery; delivery = await inbox.next()) {
        if (delivery.bookmark !== undefined)
          yield { type: 'BOOKMARK', revision: delivery.bookmark, isInitialEnd: false };
        for (const event of delivery.events) {
          const line = visible(event, matches);
          if (line) yield line;
        }
      }
    } finally {
      inbox.end();
    }
  })();
};
