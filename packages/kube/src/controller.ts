/** What a reconcile requests: nothing, or another run after a while. Throw to be retried with backoff. */
export type ReconcileResult = { readonly requeueAfterMs?: number };

export interface ReconcileContext {
  readonly signal: AbortSignal;
  /** Appears in every log line of this run. */
  readonly reconcileId: string;
}

export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult | undefined>;

/** A work queue with keys, and workers: a key is never processed twice at the same time; several changes at once cause one run. */
export interface Controller {
  enqueue(key: string, options?: { readonly afterMs?: number }): void;
  /** May run again after it ended, as a leader may be elected several times: no key is lost in between. */
  run(signal: AbortSignal): Promise<void>;
}
