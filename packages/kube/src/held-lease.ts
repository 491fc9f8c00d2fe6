import type { Clock } from '@vdo/base/clock';

/** Determines by this process's own clocks whether a Lease is still held. */
export interface HeldLease {
  /** The Lease was written by a request that began at this `reading`. */
  renewed(reading: ClockReading): void;
  lost(): void;
  isHeld(): boolean;
  /** Milliseconds until it counts as lost; 0 if it already does. */
  remainingMs(): number;
}

export interface ClockReading {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export const readClocks = (clock: Clock): ClockReading => ({ wallMs: clock.now(), monotonicMs: clock.monotonicMs() });

/**
 * Validity counts from the start of the request that renewed the Lease: others count from the time when they see it, which is
 * later. The clock that advanced further counts: the monotonic one stands still while a virtual machine is suspended,
 * the wall clock may be set back. A wall clock that is set forward ends a term early, but never causes two leaders.
 */
export const createHeldLease = (clock: Clock, validMs: number): HeldLease => {
  let renewedAt: ClockReading | undefined;
  const remainingMs = (): number => {
    if (!renewedAt) return 0;
    const elapsedMs = Math.max(clock.monotonicMs() - renewedAt.monotonicMs, clock.now() - renewedAt.wallMs);
    return Math.max(0, validMs - elapsedMs);
  };
  return {
    remainingMs,
    isHeld: () => remainingMs() > 0,
    renewed: (reading) => {
      renewedAt = reading;
    },
    lost: () => {
      renewedAt = undefined;
    },
  };
};
