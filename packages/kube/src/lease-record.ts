import type { Lease } from './types/cluster.ts';

export type LeaseSpec = NonNullable<Lease['spec']>;

/** A Lease, and when it was first seen in this state, by the observer's own monotonic clock. */
export interface LeaseObservation {
  readonly spec: LeaseSpec;
  readonly seenAtMs: number;
}

/** Records a Lease. An unchanged one keeps the time at which it was first seen, from which its expiry counts. */
export const observeLease = (
  previous: LeaseObservation | undefined,
  spec: LeaseSpec,
  nowMs: number,
): LeaseObservation => (previous && sameSpec(previous.spec, spec) ? previous : { spec, seenAtMs: nowMs });

/**
 * Whether `identity` may write its name into a Lease: it is the holder, there is no holder, or the holder has not renewed it
 * for the holder's own duration. Times in the Lease that other machines wrote are not compared with ours.
 */
export const mayTake = ({ spec, seenAtMs }: LeaseObservation, identity: string, nowMs: number): boolean => {
  const { holderIdentity = '', leaseDurationSeconds = 0 } = spec;
  return holderIdentity === '' || holderIdentity === identity || seenAtMs + leaseDurationSeconds * 1000 <= nowMs;
};

/** What a holder writes. A new holder starts a new term; the same one keeps the start and the number of the term. */
export const heldSpec = (options: {
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Wall clock. */
  readonly nowMs: number;
  readonly previous: LeaseSpec | undefined;
}): LeaseSpec => {
  const { identity, previous } = options;
  const now = microTime(options.nowMs);
  const renewing = previous?.holderIdentity === identity;
  const transitions = previous?.leaseTransitions ?? 0;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.floor(options.leaseDurationMs / 1000),
    acquireTime: (renewing && previous.acquireTime) || now,
    renewTime: now,
    leaseTransitions: renewing || previous === undefined ? transitions : transitions + 1,
  };
};

/** What a holder writes when it steps down: anyone may take the Lease at once. */
export const releasedSpec = (previous: LeaseSpec, nowMs: number): LeaseSpec => ({
  holderIdentity: '',
  leaseDurationSeconds: 1,
  acquireTime: microTime(nowMs),
  renewTime: microTime(nowMs),
  leaseTransitions: previous.leaseTransitions ?? 0,
});

// metav1.MicroTime: exactly six digits.
const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

const fields = ['holderIdentity', 'leaseDurationSeconds', 'acquireTime', 'renewTime', 'leaseTransitions'] as const;
const sameSpec = (a: LeaseSpec, b: LeaseSpec): boolean => fields.every((field) => a[field] === b[field]);
