import type { Fence } from '@vdo/base/fence';

/** Context of every operation. */
export interface CallContext {
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** Limits operations in progress: a vCenter operation must not be interrupted by the deadline of its caller. */
  readonly lifetime: AbortSignal;
  /** Checked right before vCenter is changed: the Lease of the calling loop. For a gRPC caller, which holds its own Lease, the fence is open. */
  readonly fence: Fence;
}
