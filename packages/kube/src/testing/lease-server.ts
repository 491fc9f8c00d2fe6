import { type Clock, sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { LeaseClient } from '../lease-lock.ts';
import type { Lease } from '../types/cluster.ts';

export interface LeaseServer {
  /** A client whose requests take time and fail as `trouble` says, on the clock of the process that uses it. */
  client(options?: LeaseClientOptions): LeaseClient;
  current(): Lease | undefined;
  /** Writes as another process would. */
  set(lease: Lease | undefined): void;
}

export interface LeaseClientOptions {
  /** The clock on which replies travel. */
  readonly clock?: Clock;
  /** Milliseconds to the server, and back. */
  readonly latencyMs?: () => number;
  /** Thrown instead of asking the server; `after` the server has done it. */
  readonly trouble?: () => 'before' | 'after' | undefined;
}

/** One Lease with optimistic concurrency. */
export const createLeaseServer = (): LeaseServer => {
  let stored: Lease | undefined;
  let version = 0;
  const store = (lease: Lease): Lease => {
    version += 1;
    const uid = stored?.metadata.uid ?? `uid-${version}`;
    stored = { ...lease, metadata: { ...lease.metadata, uid, resourceVersion: String(version) } };
    return stored;
  };
  const fail = (code: 'KubeConflict' | 'KubeAlreadyExists' | 'KubeUnreachable' | 'KubeNotFound') =>
    new VdoError({ code, message: code, remedy: 'none' });

  const client = ({ clock, latencyMs = () => 0, trouble = () => undefined }: LeaseClientOptions = {}): LeaseClient => {
    const travel = async (signal?: AbortSignal): Promise<void> => {
      const ms = latencyMs();
      if (clock && ms > 0) await sleep(clock, ms, signal ? { signal } : {});
    };
    const exchange = async <T>(serve: () => T, signal: AbortSignal | undefined): Promise<T> => {
      const problem = trouble();
      signal?.throwIfAborted();
      // An abort does not stop a request on its way: what was sent may arrive.
      await travel();
      if (problem === 'before') throw fail('KubeUnreachable');
      const result = serve();
      signal?.throwIfAborted();
      await travel(signal);
      if (problem === 'after') throw fail('KubeUnreachable');
      return result;
    };
    return {
      find: (async (_: unknown, __: unknown, { signal }: { signal?: AbortSignal } = {}) =>
        exchange(() => stored, signal)) as LeaseClient['find'],
      create: (async (_: unknown, lease: Lease, { signal }: { signal?: AbortSignal } = {}) =>
        exchange(() => {
          if (stored) throw fail('KubeAlreadyExists');
          return store(lease);
        }, signal)) as LeaseClient['create'],
      update: (async (_: unknown, lease: Lease, { signal }: { signal?: AbortSignal } = {}) =>
        exchange(() => {
          if (!stored) throw fail('KubeNotFound');
          if (lease.metadata.resourceVersion !== stored.metadata.resourceVersion) throw fail('KubeConflict');
          return store(lease);
        }, signal)) as LeaseClient['update'],
    };
  };

  return {
    client,
    current: () => stored,
    set: (lease) => {
      if (lease) store(lease);
      else stored = undefined;
    },
  };
};
