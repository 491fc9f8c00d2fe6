/** Guards mutations: a process that may have lost its Lease must not act on vCenter or delete nodes (design decision 14). */
export interface Fence {
  /** Throws VdoError `LeaseLost` unless this process still holds its Lease by its own clock. */
  assertHeld(): void;
  /** The operation for which vCenter is changed; vCenter writes it to its logs. */
  readonly operationId?: string | undefined;
}

/** For programs that intentionally hold no Lease (a command that one person runs, a test). */
export const openFence: Fence = { assertHeld: () => {} };
