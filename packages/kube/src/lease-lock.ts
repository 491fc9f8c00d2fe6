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
  /** Annotation by which a holder that releases the Lease records that it left nothing unfinished. Default: nobody records it. */
  readonly settledKey?: string | undefined;
  readonly clock: Clock;
}

/** `held`: by us, since the request that started at `since`. `other`: by another process whose term may not have ended. */
export type LockAttempt = { readonly kind: 'held'; readonly since: ClockReading } | { readonly kind: 'other' };

/** One attempt at a time to take a Lease, with the fields and rules of client-go. */
export interface LeaseLock {
  /** Takes or renews the Lease; throws the error of the API. */
  attempt(signal: AbortSignal): Promise<LockAttempt>;
  release(signal: AbortSignal, options?: { readonly isSettled: boolean }): Promise<void>;
  /** Whether the previous holder recorded that it left nothing unfinished. True if there was none. */
  inheritsSettled(): boolean;
  /** The last known holder; empty if there is none. */
  holder(): string;
}

export const createLeaseLock = (options: LeaseLockOptions): LeaseLock => {
  const { client, clock, identity, leaseDurationMs, settledKey, lease: key } = options;
  let lease: Lease | undefined;
  let observation: LeaseObservation | undefined;
  let inheritsSettled = false;
  /** When the request started that wrote our name last. */
  let heldSince: ClockReading | undefined;
  let missingSinceMs: number | undefined;
  /** A Lease that we created to replace another holder's is ours from then on. */
  let idleUntilMs: number | undefined;

  /** A new holder continues the count of terms, and most holders do not change annotations of others. */
  const isSettled = ({ metadata, spec }: Lease): boolean =>
    settledKey !== undefined &&
    spec?.holderIdentity === '' &&
    metadata.annotations?.[settledKey] === String(spec.leaseTransitions ?? 0);

  const observe = (seen: Lease): LeaseObservation => {
    lease = seen;
    missingSinceMs = undefined;
    observation = observeLease(observation, seen.spec ?? {}, clock.monotonicMs());
    if (seen.spec?.holderIdentity !== identity) {
      idleUntilMs = undefined;
      heldSince = undefined;
    }
    return observation;
  };

  const next = (previous: LeaseSpec | undefined): LeaseSpec =>
    heldSpec({ identity, leaseDurationMs, nowMs: clock.now(), previous });

  /** By both clocks, as in held-lease.ts. */
  const isStillOurs = (): boolean => {
    if (!heldSince || observation?.spec.holderIdentity !== identity) return false;
    const now = readClocks(clock);
    const elapsedMs = Math.max(now.monotonicMs - heldSince.monotonicMs, now.wallMs - heldSince.wallMs);
    return elapsedMs < leaseDurationMs;
  };

  /**
   * Somebody has deleted the Lease, or the cluster was restored to an older state. The previous holder continues until it notices, and
   * creates the Lease again: for some of its attempts, others leave this to it.
   */
  const isLeftToHolder = (): boolean => {
    missingSinceMs ??= clock.monotonicMs();
    return clock.monotonicMs() - missingSinceMs < leaseDurationMs / 2;
  };

  const create = async (signal: AbortSignal): Promise<LockAttempt> => {
    const isOurs = isStillOurs();
    const isFree = isOurs || !observation;
    if (!isFree && isLeftToHolder()) return { kind: 'other' };
    const since = readClocks(clock);
    const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key, spec: next(undefined) };
    observe(await client.create(leases, object, { signal }));
    // The record of the last holder was lost with the Lease.
    if (!isOurs) inheritsSettled = false;
    // The previous holder may have renewed for this time before the Lease was missing: until then, nothing is done.
    if (!isFree) idleUntilMs = since.monotonicMs + leaseDurationMs;
    return held(since);
  };

  const held = (since: ClockReading): LockAttempt => {
    if (idleUntilMs !== undefined && since.monotonicMs < idleUntilMs) return { kind: 'other' };
    idleUntilMs = undefined;
    heldSince = since;
    return { kind: 'held', since };
  };

  const write = async (current: Lease, spec: LeaseSpec, signal: AbortSignal): Promise<LockAttempt> => {
    const since = readClocks(clock);
    observe(await client.update(leases, { ...current, spec }, { signal }));
    return held(since);
  };

  // The holder writes over its last version, which saves a read; if it has changed, the Lease is read after all.
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
      // A Lease with our name that we did not know of: the reply to its creation was lost.
      const isUnknown = lease !== undefined && lease.metadata.uid !== found.metadata.uid && !isStillOurs();
      const seen = observe(found);
      if (isUnknown) idleUntilMs = clock.monotonicMs() + leaseDurationMs;
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
