import { onAbort } from './on-abort.ts';

/** Resolves when the signal is aborted, at once if it is already; never rejects. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    onAbort(signal, resolve);
  });
