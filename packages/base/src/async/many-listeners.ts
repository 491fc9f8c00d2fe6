import { setMaxListeners } from 'node:events';

/** Signals that are already adjusted: a listener may be added to a signal at every call. */
const reported = new WeakSet<AbortSignal>();

/** Many tasks and calls may listen to these signals. This is intended, and not the leak that Node would warn of. */
export const allowManyListeners = (...signals: readonly AbortSignal[]): void => {
  for (const signal of signals) {
    if (reported.has(signal)) continue;
    setMaxListeners(0, signal);
    reported.add(signal);
  }
};
