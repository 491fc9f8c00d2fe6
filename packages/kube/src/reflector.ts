import { type Clock, sleep } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { backoffMs } from '@vdo/base/retry';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from './client.ts';
import type { KubeObject } from './types/object.ts';
import type { Resource } from './types/resource.ts';

/** What a reflector keeps equal to the server's state. */
export interface Mirror<T extends KubeObject> {
  /** The complete state. */
  replace(objects: readonly T[]): Promise<void>;
  upsert(object: T): void;
  remove(object: T): void;
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
  /** Called for each failure; the next attempt follows by itself. */
  readonly onError: (error: VdoError) => void;
  /** Called when the server's state is known again. */
  readonly onHealthy: () => void;
}

/** Small pages keep the memory small in which they are parsed: with 500 an informer of 10,000 nodes takes 40 MB more. */
const pageSize = 100;
const backoff = { initialMs: 800, maxMs: 30_000 };
/** Watches are renewed after 5 to 10 minutes, so that clients spread over the servers of a cluster. */
const watchSeconds = { least: 300, spread: 300 };
/** A server sends a bookmark each minute: after three without any, the connection is taken for dead. */
const silentMs = 180_000;
/** A watch that the server ends sooner without an event is a failure: without a pause it would be a busy loop. */
const shortestWatchMs = 1_000;
/** So many failures in a row, and the state is listed anew: the server may have forgotten the version we know. */
const failuresBeforeRelist = 3;

/** Lists, then watches, for ever: broken streams are resumed, forgotten versions are listed anew, errors are waited out. */
export const runReflector = async <T extends KubeObject>(
  options: ReflectorOptions<T>,
  signal: AbortSignal,
): Promise<void> => {
  const { client, resource, clock, random, mirror } = options;
  const { namespace, labelSelector, fieldSelector } = options;
  const selection = {
    signal,
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
  let knownVersion: string | undefined;
  let failures = 0;

  const progress = (): void => {
    if (failures > 0) options.onHealthy();
    failures = 0;
  };

  const listAll = async (limit: number): Promise<string> => {
    const objects: T[] = [];
    let version = '';
    for await (const { items, metadata } of client.pages(resource, { ...selection, limit })) {
      for (const item of items) objects.push(options.transform(item));
      version = metadata.resourceVersion ?? '';
    }
    await mirror.replace(objects);
    return version;
  };

  const relist = async (): Promise<string> => {
    try {
      return await listAll(pageSize);
    } catch (error) {
      // Changes outrun the pages: a single answer cannot be outrun.
      if (!isVdoError(error, 'KubeGone')) throw error;
      return listAll(0);
    }
  };

  const watch = async (fromVersion: string): Promise<void> => {
    const startedMs = clock.monotonicMs();
    const timeoutSeconds = Math.round(watchSeconds.least + random.next() * watchSeconds.spread);
    const watching = { ...selection, resourceVersion: fromVersion, timeoutSeconds, idleTimeoutMs: silentMs };
    let events = 0;
    for await (const { type, object } of client.watch(resource, watching)) {
      if (type === 'DELETED') mirror.remove(options.transform(object));
      else if (type !== 'BOOKMARK') mirror.upsert(options.transform(object));
      knownVersion = object.metadata.resourceVersion ?? knownVersion;
      events += 1;
      progress();
    }
    if (events === 0 && clock.monotonicMs() - startedMs < shortestWatchMs) throw endedAtOnce(resource);
    progress();
  };

  const fail = async (error: unknown): Promise<void> => {
    failures += 1;
    if (isVdoError(error, 'KubeGone') || failures % failuresBeforeRelist === 0) knownVersion = undefined;
    options.onError(toVdoError(error));
    await sleep(clock, backoffMs(failures, random, backoff), { signal });
  };

  while (!signal.aborted) {
    try {
      if (knownVersion === undefined) {
        knownVersion = await relist();
        progress();
      }
      await watch(knownVersion);
    } catch (error) {
      if (signal.aborted) return;
      await fail(error).catch(() => {});
    }
  }
};

const endedAtOnce = (resource: Resource): VdoError =>
  new VdoError({
    code: 'KubeServerError',
    message: `the API server ended a watch of ${resource.plural} as soon as it began`,
    remedy: 'Nothing to do at once: it is watched again. If it lasts, look at the log of the API server.',
  });
