/** What a reconcile asks for: nothing more, or another look after a while. Throw to be retried with backoff. */
export type ReconcileResult = { readonly requeueAfterMs?: number };

export interface ReconcileContext {
  readonly signal: AbortSignal;
  /** Appears in every log line of this run. */
  readonly reconcileId: string;
}

export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult | undefined>;

/** Keyed work queue plus workers: one key is never worked on twice at once; bursts collapse into one run. */
export interface Controller {
  enqueue(key: string, options?: { readonly afterMs?: number }): void;
  /** May run again after it ended, as the terms of a leader follow one another: no key is lost in between. */
  run(signal: AbortSignal): Promise<void>;
}
