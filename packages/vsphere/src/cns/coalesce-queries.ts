import { raceAbort } from '@vdo/base/async/race-abort';
import { isVdoError } from '@vdo/base/vdo-error';
import type { CnsClient } from './cns-client.ts';
import type { CnsQueryFilter, CnsVolume } from './cns-types.ts';

type Query = CnsClient['queryVolumes'];

interface Question {
  readonly key: string;
  readonly resolve: (volumes: readonly CnsVolume[]) => void;
  readonly reject: (error: unknown) => void;
}

/** One unreadable volume must not hide the others: they are then read one at a time. */
const isUnreadable = (error: unknown): boolean => isVdoError(error, 'VCenterReplyMalformed');

/** The number that fits one page of the reply, even if several volumes have the same name. */
const maxKeys = 100;

/** Batches queries: the first is sent immediately, those that arrive while it runs are sent together. */
const createQueue = (
  ask: (keys: readonly string[]) => Promise<readonly CnsVolume[]>,
  keyOf: (volume: CnsVolume) => string,
) => {
  let waiting: Question[] = [];
  let busy = false;
  const send = (): void => {
    if (busy || waiting.length === 0) return;
    busy = true;
    const batch = waiting.slice(0, maxKeys);
    waiting = waiting.slice(maxKeys);
    ask([...new Set(batch.map(({ key }) => key))])
      .then(
        (volumes) => {
          for (const { key, resolve } of batch) resolve(volumes.filter((volume) => keyOf(volume) === key));
        },
        async (error: unknown) => {
          for (const { key, resolve, reject } of batch)
            if (batch.length > 1 && isUnreadable(error)) await ask([key]).then(resolve, reject);
            else reject(error);
        },
      )
      .finally(() => {
        busy = false;
        send();
      });
  };
  return (key: string): Promise<readonly CnsVolume[]> =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      // Queries of the same turn of the event loop are also sent together.
      queueMicrotask(send);
    });
};

const only = (list: readonly string[] | undefined): string | undefined => (list?.length === 1 ? list[0] : undefined);

/** The same query, but concurrent queries for single IDs and names share one call. */
export const coalesceQueries = (query: Query): Query => {
  const byId = createQueue(
    (volumeIds) => query({ volumeIds }),
    ({ id }) => id,
  );
  const byName = new Map<string, ReturnType<typeof createQueue>>();
  const namesOf = (clusterIds: readonly string[]) => {
    const key = JSON.stringify(clusterIds);
    const ask = (names: readonly string[]) => query({ names, clusterIds });
    const queue = byName.get(key) ?? createQueue(ask, ({ name }) => name);
    byName.set(key, queue);
    return queue;
  };
  const coalesced = (filter: CnsQueryFilter): Promise<readonly CnsVolume[]> | undefined => {
    const { volumeIds, names, clusterIds } = filter;
    const [id, name] = [only(volumeIds), only(names)];
    if (id !== undefined && !names && !clusterIds) return byId(id);
    if (name !== undefined && !volumeIds && clusterIds && clusterIds.length > 0) return namesOf(clusterIds)(name);
    return undefined;
  };
  return (filter, options = {}) => {
    const shared = coalesced(filter);
    return shared ? raceAbort(shared, options.signal) : query(filter, options);
  };
};
