import { onAbort } from '@vdo/base/async/on-abort';
import { type Clock, sleep } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { backoffMs } from '@vdo/base/retry';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from './client.ts';
import type { SharedBackoff } from './shared-backoff.ts';
import type { KubeObject, WatchEvent } from './types/object.ts';
import type { Resource } from './types/resource.ts';
import { createWatchPace } from './watch-pace.ts';

/** A store that a reflector keeps equal to the server's state. */
export interface Mirror<T extends KubeObject> {
  /** The complete state at a version. */
  replace(objects: readonly T[], version: string): Promise<void>;
  upsert(object: T): void;
  remove(object: T): void;
  /** All changes up to this version have been reported. */
  seen(version: string): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Applied to each page as it arrives, so that what is dropped is never held for all objects at once. */
  readonly transform: (object: T) => T;
  readonly mirror: Mirror<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** Shared by all reflectors of this server; it also limits how often they restart watches. By default, each waits separately. */
  readonly backoff?: SharedBackoff;
  /** Called for each failure; the next attempt follows automatically. */
  readonly onError: (error: VdoError) => void;
  /** Called when the server's state is known again. */
  readonly onHealthy: () => void;
}

/** Small pages need little memory while they are parsed: with 500, an informer of 10,000 nodes takes 40 MB more. */
const pageSize = 100;
const ownBackoff = { initialMs: 800, maxMs: 30_000 };
/** Watches are renewed after 5 to 10 minutes, so that clients are spread over the servers of a cluster. */
const watchSeconds = { least: 300, spread: 300 };
/** A server sends a bookmark each minute: after three minutes without one, the connection counts as broken. */
const silentMs = 180_000;
/** A watch that the server ends sooner without an event is a failure: without a pause it would be a busy loop. */
const shortestWatchMs = 1_000;
/** After this many failures in a row, the state is listed again: the server may have forgotten the known version. */
const failuresBeforeRelist = 3;

/**
 * If the server is known to be ahead, a stream counts as broken if nothing arrived for `silentMs`, and not again for `pauseMs`. If nothing arrived
 * since, it counts as broken after `patienceMs`, within which a short watch has reported something or is broken, too.
 */
const doubted = { silentMs: 500, pauseMs: 2_000, patienceMs: 4_000 };
/** Two seconds before the end of a watch the server sends a bookmark, so a short watch soon reports the version of the server. */
const shortWatchSeconds = 3;
/** A watch that ends this long before its time, or less, has ended in time. */
const timelySeconds = 5;

export interface Reflector {
  /** Runs until aborted. */
  run(signal: AbortSignal): Promise<void>;
  doubt(options?: { readonly relist?: boolean }): void;
}

/** Lists, then watches, forever: broken streams are resumed, expired versions are listed again, errors are retried. */
export const createReflector = <T extends KubeObject>(options: ReflectorOptions<T>): Reflector => {
  const { client, resource, clock, random, mirror } = options;
  const { namespace, labelSelector, fieldSelector } = options;
  const selection = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
  let knownVersion: string | undefined;
  let failures = 0;
  let lastEventMs = Number.NEGATIVE_INFINITY;
  let lastDoubtMs = Number.NEGATIVE_INFINITY;
  let reportedSinceDoubt = false;
  let isNextShort = false;
  let mustRelist = false;
  let eventsOfWatch = 0;
  let isOpened = false;
  /** The history of the server that is followed, as all reflectors of this server count it. */
  let followed = 0;
  let interrupt = () => {};

  const cycles = createWatchPace(clock);
  let isSpent = false;
  const spend = (): void => {
    if (!isSpent && options.backoff) cycles.spend(options.backoff.watchEveryMs());
    isSpent = true;
  };

  /** Starts a cycle when it is time for it. */
  const pace = async (signal: AbortSignal): Promise<void> => {
    isSpent = false;
    const pauseMs = options.backoff ? cycles.pauseMs(options.backoff.watchEveryMs()) : 0;
    if (pauseMs > 0) await options.backoff?.pause(pauseMs, signal);
  };

  const progress = (): void => {
    if (failures > 0) {
      options.onHealthy();
      options.backoff?.recovered();
    }
    failures = 0;
  };

  const listAll = async (limit: number, signal: AbortSignal): Promise<string> => {
    const objects: T[] = [];
    let version = '';
    for await (const { items, metadata } of client.pages(resource, { ...selection, signal, limit })) {
      for (const item of items) objects.push(options.transform(item));
      version = metadata.resourceVersion ?? '';
    }
    await mirror.replace(objects, version);
    return version;
  };

  const relist = async (signal: AbortSignal): Promise<string> => {
    try {
      return await listAll(pageSize, signal);
    } catch (error) {
      // Objects change faster than the pages are read; a single reply does not have this problem.
      if (!isVdoError(error, 'KubeGone')) throw error;
      return listAll(0, signal);
    }
  };

  const take = ({ type, object }: WatchEvent<T>): void => {
    if (type === 'DELETED') mirror.remove(options.transform(object));
    else if (type !== 'BOOKMARK') mirror.upsert(options.transform(object));
    knownVersion = object.metadata.resourceVersion ?? knownVersion;
    if (knownVersion !== undefined) mirror.seen(knownVersion);
    lastEventMs = clock.monotonicMs();
    reportedSinceDoubt = true;
    eventsOfWatch += 1;
    progress();
  };

  const watch = async (fromVersion: string, signal: AbortSignal): Promise<void> => {
    const startedMs = clock.monotonicMs();
    const usualSeconds = Math.round(watchSeconds.least + random.next() * watchSeconds.spread);
    const isShort = isNextShort;
    isNextShort = false;
    const timeoutSeconds = isShort ? shortWatchSeconds : usualSeconds;
    // A watch that only asks for the server's version belongs to the cycle that follows.
    isOpened = false;
    const onOpen = (): void => {
      isOpened = true;
      if (!isShort) spend();
    };
    const watching = { ...selection, signal, resourceVersion: fromVersion, timeoutSeconds, idleTimeoutMs: silentMs };
    eventsOfWatch = 0;
    for await (const event of client.watch(resource, { ...watching, onOpen })) take(event);
    if (eventsOfWatch === 0 && clock.monotonicMs() - startedMs < shortestWatchMs) throw endedAtOnce(resource);
    // Asked for its version, the server had nothing to report: its versions are not those that are known here.
    if (isShort && eventsOfWatch === 0) knownVersion = undefined;
    // A server that ends a watch early is going away, perhaps to be restored from a backup.
    isNextShort ||= clock.monotonicMs() - startedMs < (timeoutSeconds - timelySeconds) * 1_000;
    progress();
  };

  const fail = async (error: unknown, signal: AbortSignal): Promise<void> => {
    failures += 1;
    // A server that was away, or for which a proxy answered, may have been restored from a backup. It would report nothing until the
    // known version comes again, and then other changes than those that are known. So it is listed again, or its version is requested.
    const wasAway = isVdoError(error, 'KubeUnreachable') && eventsOfWatch === 0;
    isNextShort = true;
    // A stream that a proxy breaks says nothing about the server. One that was never opened does, to all reflectors of this server: by the time of
    // their turn, a restored server may have passed the versions that they know.
    const isAnother = isVdoError(error, 'KubeGone') || (isVdoError(error, 'KubeUnreachable') && !isOpened);
    if (isAnother) options.backoff?.doubtHistory();
    // Attempts that find the server away are paced by the wait below.
    if (!wasAway) spend();
    if (wasAway || isVdoError(error, 'KubeGone') || failures % failuresBeforeRelist === 0) knownVersion = undefined;
    options.onError(toVdoError(error));
    // The server answers, and has another history than the known one. If this reflector waited for its turn, the server would pass the versions
    // that the others know, and they could no longer notice it. A successful list lets all of them ask. This is not a busy loop: cycles are paced.
    if (options.backoff && isVdoError(error, 'KubeGone')) return;
    if (options.backoff) await options.backoff.wait(signal);
    else await sleep(clock, backoffMs(failures, random, ownBackoff), { signal });
  };

  /** Runs an operation that waits for the server, and ends it without a failure as soon as the server is known to be ahead. */
  const untilDoubted = async (signal: AbortSignal, wait: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const controller = new AbortController();
    const stopListening = onAbort(signal, () => controller.abort(signal.reason));
    interrupt = () => controller.abort(inDoubt);
    try {
      await wait(controller.signal);
    } catch (error) {
      if (error !== inDoubt) throw error;
    } finally {
      interrupt = () => {};
      stopListening();
    }
  };

  return {
    run: async (signal) => {
      while (!signal.aborted) {
        try {
          await untilDoubted(signal, pace);
          const history = options.backoff?.history() ?? 0;
          if (knownVersion === undefined || mustRelist || history !== followed) {
            followed = history;
            mustRelist = false;
            isNextShort = false;
            isOpened = false;
            eventsOfWatch = 0;
            knownVersion = await relist(signal);
            spend();
            progress();
          }
          const from = knownVersion;
          await untilDoubted(signal, (watching) => watch(from, watching));
        } catch (error) {
          if (signal.aborted) return;
          await untilDoubted(signal, (waiting) => fail(error, waiting)).catch(() => {});
        }
      }
    },
    doubt: ({ relist: isElsewhere = false } = {}) => {
      const nowMs = clock.monotonicMs();
      if (nowMs - lastDoubtMs < (reportedSinceDoubt ? doubted.pauseMs : doubted.patienceMs)) return;
      if (!isElsewhere && nowMs - lastEventMs < doubted.silentMs) return;
      lastDoubtMs = nowMs;
      reportedSinceDoubt = false;
      isNextShort = true;
      mustRelist ||= isElsewhere;
      interrupt();
    },
  };
};

/** Why a stream counts as broken that may still be alive. */
const inDoubt = new Error('the server is known to be ahead');

const endedAtOnce = (resource: Resource): VdoError =>
  new VdoError({
    code: 'KubeServerError',
    message: `the API server ended a watch of ${resource.plural} immediately`,
    remedy: 'No immediate action needed: the watch is restarted. If this continues, check the log of the API server.',
  });
