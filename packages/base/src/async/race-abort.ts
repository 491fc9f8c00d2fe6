import { onAbort } from './on-abort.ts';

/** The outcome of `work`, or the signal's reason as soon as it is aborted. The work itself continues; its late failure is ignored. */
export const raceAbort = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return work;
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(stopListening);
  });
};
