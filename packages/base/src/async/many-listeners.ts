import { setMaxListeners } from 'node:events';

/** Signals that are already adjusted: a signal may be listened to at every call. */
const reported = new WeakSet<AbortSignal>();

/** Many tasks and calls may listen to these signals: that is their purpose, and no leak that Node should warn of. */
export const allowManyListeners = (...signals: readonly AbortSignal[]): void => {
  for (const signal of signals) {
    if (reported.has(signal)) continue;
    setMaxListeners(0, signal);
    reported.add(signal);
  }
};
