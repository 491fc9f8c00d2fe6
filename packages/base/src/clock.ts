import { onAbort } from './async/on-abort.ts';

/** Time as the program sees it. Everything that waits takes a Clock, so that tests run on a virtual one. */
export interface Clock {
  /** Wall-clock milliseconds since the epoch: for timestamps that others read. */
  now(): number;
  /** Milliseconds that never jump back: for durations, leases and deadlines. */
  monotonicMs(): number;
  /** Runs `task` once after `delayMs`; returns a function that cancels it. */
  schedule(task: () => void, delayMs: number): () => void;
}

/** The machine's clock. */
export const createSystemClock = (): Clock => ({
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  schedule: (task, delayMs) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
});

/** Resolves after `delayMs`, rejects with the signal's reason as soon as it is aborted. */
export const sleep = (clock: Clock, delayMs: number, options: { readonly signal?: AbortSignal } = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const { signal } = options;
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const cancel = clock.schedule(() => {
      stopListening();
      resolve();
    }, delayMs);
    const stopListening = onAbort(signal, () => {
      cancel();
      reject(signal?.reason);
    });
  });

/** An AbortSignal that fires after `delayMs` on the given clock, or with `parent`. Call `dispose` when the work is done. */
export const deadline = (
  clock: Clock,
  delayMs: number,
  options: { readonly parent?: AbortSignal; readonly reason: () => Error },
): { readonly signal: AbortSignal; dispose(): void } => {
  const controller = new AbortController();
  const { parent } = options;
  const cancel = clock.schedule(() => controller.abort(options.reason()), delayMs);
  const stopListening = onAbort(parent, () => controller.abort(parent?.reason));
  return {
    signal: controller.signal,
    dispose: () => {
      cancel();
      stopListening();
    },
  };
};
