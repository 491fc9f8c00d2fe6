import type { Fence } from '@vdo/base/fence';

/** What every operation is given besides its request. */
export interface CallContext {
  /** Aborted when the caller gave up waiting. */
  readonly signal: AbortSignal;
  /** How long work that was begun may go on: a caller's deadline must not tear a vCenter operation in half. */
  readonly lifetime: AbortSignal;
  /** Checked right before vCenter is changed: the Lease of the loop that asks, or an open fence for a gRPC caller, who holds his own. */
  readonly fence: Fence;
}
