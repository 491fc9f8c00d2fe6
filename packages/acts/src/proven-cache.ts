import { raceAbort } from '@vdo/base/async/race-abort';
import { type Clock, deadline } from '@vdo/base/clock';
import type { VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Informer } from '@vdo/kube/informer';
import { isAtLeast } from '@vdo/kube/resource-version';
import type { KubeObject } from '@vdo/kube/types/object';
import { keyOf, type Resource } from '@vdo/kube/types/resource';
import { evidenceLivesMs } from './act-log.ts';
import type { Attempt } from './attempt.ts';
import type { Current, Written } from './evidence.ts';
import { type Moment, mintCurrent, mintFound, orderOf } from './internal/mint.ts';
import { nextOrder } from './internal/order.ts';
import { meansOf } from './internal/perform.ts';
import { evidenceMissing } from './internal/refusals.ts';

export interface CacheProofDeps<T extends KubeObject> {
  readonly client: Pick<KubeClient, 'list'>;
  readonly clock: Clock;
  readonly informer: Pick<Informer<T>, 'get' | 'byIndex' | 'version' | 'reached' | 'doubt'>;
  readonly resource: Resource<T>;
  /** The namespace, for an informer of one namespace. */
  readonly namespace?: string;
}

/** Proves that a cache is current, so that it can be queried instead of the API server. */
export interface CacheProof<T extends KubeObject> {
  /**
   * Asks the API server for its version. One proof serves every attempt that began before its request was sent. In a cluster without other
   * changes it takes up to two seconds, until the API server sends a bookmark.
   */
  current(attempt: Attempt, options?: { readonly signal?: AbortSignal }): Promise<Current<T>>;
  /** Uses a write of the attempt: needs no further request, and is as fast as the watch. */
  since(written: Written<T>, options?: { readonly signal?: AbortSignal }): Promise<Current<T>>;
}

/** A watch normally delivers changes within milliseconds. After this time the cache is checked repeatedly. */
const doubtAfterMs = 300;
/** A proof older than this is not used for another attempt, because it would soon expire. */
const shareForMs = evidenceLivesMs / 2;
/** No object has this name, so the list is empty and costs the same in every cluster. */
const nobody = 'metadata.name=vdo-asks-for-the-version';

export const createCacheProof = <T extends KubeObject>(deps: CacheProofDeps<T>): CacheProof<T> => {
  const { client, clock, informer, resource, namespace } = deps;
  let latest: { readonly at: () => Moment; readonly outcome: Promise<Current<T>> } | undefined;
  const now = (): Moment => ({ readMs: clock.monotonicMs(), order: nextOrder() });

  const isBehind = (version: string): boolean => {
    const has = informer.version();
    return has === undefined || !isAtLeast(has, version);
  };

  const ask = <F>(version: string, question: () => F): F => {
    if (isBehind(version)) throw evidenceMissing(`the cache of ${resource.plural} is being listed again`);
    return question();
  };

  const reach = async (version: string, sentMs: number, signal?: AbortSignal): Promise<void> => {
    const leftMs = sentMs + evidenceLivesMs - clock.monotonicMs();
    const reason = () =>
      evidenceMissing(`the cache of ${resource.plural} did not reach version ${version} of the API server in time`, {
        remedy: 'The operation is retried. If this persists, check for a proxy that delays watches of the API server.',
      });
    const limit = deadline(clock, leftMs, { reason, ...(signal ? { parent: signal } : {}) });
    let stop = () => {};
    const doubt = () => {
      informer.doubt();
      stop = clock.schedule(doubt, doubtAfterMs);
    };
    stop = clock.schedule(doubt, doubtAfterMs);
    try {
      await informer.reached(version, { signal: limit.signal });
    } finally {
      stop();
      limit.dispose();
    }
  };

  const currentAt = (resourceVersion: string, at: Moment): Current<T> => {
    const found = (index: string, value: string, observe: () => readonly T[]) =>
      mintFound({ resource, question: { index, value }, resourceVersion, at }, () => ask(resourceVersion, observe));
    const one = (object: T | undefined): readonly T[] => (object ? [object] : []);
    return mintCurrent<T>(
      {
        resourceVersion,
        readMs: at.readMs,
        get: (key) => found('name', key, () => one(informer.get(key))),
        byIndex: (index, value) => found(index, value, () => informer.byIndex(index, value)),
      },
      at,
    );
  };

  const wentBack = (message: string): VdoError => {
    // The API server was restored from a backup, so the content of the cache may never have existed.
    informer.doubt({ relist: true });
    return evidenceMissing(message);
  };

  const startProof = () => {
    const known = informer.version();
    let at = now();
    const beforeSend = () => {
      at = now();
    };
    const prove = async (): Promise<Current<T>> => {
      const selection = { fieldSelector: nobody, limit: 0, ...(namespace === undefined ? {} : { namespace }) };
      const { metadata } = await client.list(resource, { ...selection, beforeSend });
      const version = metadata.resourceVersion ?? '';
      if (known !== undefined && !isAtLeast(version, known))
        throw wentBack(`the API server is at version ${version} of ${resource.plural}, but was at ${known} before`);
      await reach(version, at.readMs);
      return currentAt(version, at);
    };
    const started = { at: () => at, outcome: prove() };
    started.outcome.catch(() => {
      if (latest === started) latest = undefined;
    });
    latest = started;
    return started;
  };

  return {
    current: (attempt, { signal } = {}) => {
      const began = meansOf(attempt).order;
      const serves = ({ at }: NonNullable<typeof latest>) =>
        at().order > began && clock.monotonicMs() - at().readMs <= shareForMs;
      const proof = latest && serves(latest) ? latest : startProof();
      return raceAbort(proof.outcome, signal);
    },
    since: async (written, { signal } = {}) => {
      const { resourceVersion, readMs, uid } = written;
      const order = orderOf(written);
      await reach(resourceVersion, readMs, signal);
      const cached = informer.get(keyOf(written.object));
      const name = `${resource.plural} ${keyOf(written.object)}`;
      if (!cached || cached.metadata.uid !== uid) throw evidenceMissing(`${name} was deleted after it was written`);
      if (!isAtLeast(cached.metadata.resourceVersion ?? '', resourceVersion))
        throw wentBack(`the cache claims to be past version ${resourceVersion}, but has an older ${name}`);
      return currentAt(resourceVersion, { readMs, order });
    },
  };
};
