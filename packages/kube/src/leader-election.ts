import type { Fence } from '@vdo/base/fence';

/** Same Lease fields and timing rules as client-go, so that a Go process and ours can contend for one Lease. */
export interface LeaderElector extends Fence {
  readonly identity: string;
  isLeading(): boolean;
  /** Competes until aborted; runs `lead` while it holds the Lease and aborts it the moment it may have lost it. */
  run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void>;
}
