import type { Clock } from '@vdo/base/clock';

/** Tells by this process's own clocks whether a Lease is still held. */
export interface HeldLease {
  /** The Lease was written by a request that began at this `reading`. */
  renewed(reading: ClockReading): void;
  lost(): void;
  isHeld(): boolean;
  /** Milliseconds until it counts as lost; 0 if it is. */
  remainingMs(): number;
}

export interface ClockReading {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export const readClocks = (clock: Clock): ClockReading => ({ wallMs: clock.now(), monotonicMs: clock.monotonicMs() });

/**
 * Validity counts from the beginning of the request that renewed the Lease: others count from when they see it, which is
 * later. Both clocks count, whichever ran further: the monotonic one stands still while a virtual machine is suspended,
 * the wall clock may be set back. A wall clock set forward costs a term, never a double leader.
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
