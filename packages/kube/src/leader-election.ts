import type { Fence } from '@vdo/base/fence';

export interface Term {
  /** The previous holder left nothing unfinished, and recorded this. */
  readonly inheritsSettled: boolean;
}

/** What the work of a term returns at its end: `settled` if nothing that it started is still in progress. */
export type TermEnd = 'settled' | undefined;

/** Same Lease fields and timing rules as client-go, so that a Go process and ours can contend for one Lease. */
export interface LeaderElector extends Fence {
  readonly identity: string;
  isLeading(): boolean;
  /**
   * Competes until aborted; runs `lead` while it holds the Lease and aborts it as soon as it may have lost it. If `lead` ends with
   * {@link TermEnd} `settled`, the next holder learns of it.
   */
  run(signal: AbortSignal, lead: (signal: AbortSignal, term: Term) => Promise<unknown>): Promise<void>;
}
