import type { Fence } from '@vdo/base/fence';

export interface Term {
  /** The holder before left nothing under way, and said so. */
  readonly inheritsSettled: boolean;
}

/** What the work of a term says at its end: `settled` if nothing that it began is under way any more. */
export type TermEnd = 'settled' | undefined;

/** Same Lease fields and timing rules as client-go, so that a Go process and ours can contend for one Lease. */
export interface LeaderElector extends Fence {
  readonly identity: string;
  isLeading(): boolean;
  /**
   * Competes until aborted; runs `lead` while it holds the Lease and aborts it the moment it may have lost it. If `lead` ends with
   * {@link TermEnd} `settled`, the next holder knows.
   */
  run(signal: AbortSignal, lead: (signal: AbortSignal, term: Term) => Promise<unknown>): Promise<void>;
}
