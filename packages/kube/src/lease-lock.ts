import type { Clock } from '@vdo/base/clock';
import { isVdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from './client.ts';
import { type ClockReading, readClocks } from './held-lease.ts';
import {
  heldSpec,
  type LeaseObservation,
  type LeaseSpec,
  mayTake,
  observeLease,
  releasedSpec,
} from './lease-record.ts';
import { type Lease, leases } from './types/cluster.ts';

/** The verbs that the election needs; RBAC: get, create, update of leases. */
export type LeaseClient = Pick<KubeClient, 'find' | 'create' | 'update'>;

export interface LeaseLockOptions {
  readonly client: LeaseClient;
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Annotation by which one who gives the Lease back says that he left nothing under way. Default: nobody says so. */
  readonly settledKey?: string | undefined;
  readonly clock: Clock;
}

/** `held`: by us, since the request that began at `since`. `other`: by somebody else whose term has not run out. */
export type LockAttempt = { readonly kind: 'held'; readonly since: ClockReading } | { readonly kind: 'other' };

/** One attempt at a time on a Lease, with the fields and rules of client-go. */
export interface LeaseLock {
  /** Takes or renews the Lease; throws what the API says. */
  attempt(signal: AbortSignal): Promise<LockAttempt>;
  release(signal: AbortSignal, options?: { readonly isSettled: boolean }): Promise<void>;
  /** Whether the holder before this one said that he left nothing under way. True if there was none. */
  inheritsSettled(): boolean;
  /** The last holder seen; empty if there is none. */
  holder(): string;
}

export const createLeaseLock = (options: LeaseLockOptions): LeaseLock => {
  const { client, clock, identity, leaseDurationMs, settledKey, lease: key } = options;
  let lease: Lease | undefined;
  let observation: LeaseObservation | undefined;
  let inheritsSettled = false;

  /** Whoever takes the Lease counts its terms on, and most leave annotations of others as they are. */
  const isSettled = ({ metadata, spec }: Lease): boolean =>
    settledKey !== undefined &&
    spec?.holderIdentity === '' &&
    metadata.annotations?.[settledKey] === String(spec.leaseTransitions ?? 0);

  const observe = (seen: Lease): LeaseObservation => {
    lease = seen;
    observation = observeLease(observation, seen.spec ?? {}, clock.monotonicMs());
    return observation;
  };

  const next = (previous: LeaseSpec | undefined): LeaseSpec =>
    heldSpec({ identity, leaseDurationMs, nowMs: clock.now(), previous });

  const create = async (signal: AbortSignal): Promise<LockAttempt> => {
    const since = readClocks(clock);
    const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key, spec: next(undefined) };
    observe(await client.create(leases, object, { signal }));
    return { kind: 'held', since };
  };

  const write = async (current: Lease, spec: LeaseSpec, signal: AbortSignal): Promise<LockAttempt> => {
    const since = readClocks(clock);
    observe(await client.update(leases, { ...current, spec }, { signal }));
    return { kind: 'held', since };
  };

  // The holder writes on what it wrote last, which saves a read; if that has changed, the read is made after all.
  const renewDirectly = async (signal: AbortSignal): Promise<LockAttempt | undefined> => {
    if (!lease || observation?.spec.holderIdentity !== identity) return undefined;
    if (observation.seenAtMs + leaseDurationMs <= clock.monotonicMs()) return undefined;
    try {
      return await write(lease, next(observation.spec), signal);
    } catch (error) {
      if (isVdoError(error, 'KubeConflict', 'KubeNotFound')) return undefined;
      throw error;
    }
  };

  return {
    holder: () => observation?.spec.holderIdentity ?? '',
    attempt: async (signal) => {
      const renewed = await renewDirectly(signal);
      if (renewed) return renewed;
      const found = await client.find(leases, key, { signal });
      if (!found) return create(signal);
      const seen = observe(found);
      if (!mayTake(seen, identity, clock.monotonicMs())) return { kind: 'other' };
      const isTaken = found.spec?.holderIdentity !== identity;
      const settled = isSettled(found);
      const taken = await write(found, next(seen.spec), signal);
      if (isTaken) inheritsSettled = settled;
      return taken;
    },
    release: async (signal, { isSettled: hasSettled } = { isSettled: false }) => {
      if (!lease || observation?.spec.holderIdentity !== identity) return;
      const spec = releasedSpec(observation.spec, clock.now());
      const { metadata } = lease;
      const said = settledKey && hasSettled ? { [settledKey]: String(spec.leaseTransitions) } : {};
      const annotations = { ...metadata.annotations, ...said };
      observe(await client.update(leases, { ...lease, metadata: { ...metadata, annotations }, spec }, { signal }));
    },
    inheritsSettled: () => inheritsSettled,
  };
};
