import { allowManyListeners } from './many-listeners.ts';

/**
 * Calls the listener once when the signal aborts, at once if it already has. Returns the function that stops listening.
 * A signal may have any number of listeners: without this, Node would print a warning at the eleventh.
 */
export const onAbort = (signal: AbortSignal | undefined, listener: () => void): (() => void) => {
  if (!signal) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  allowManyListeners(signal);
  const call = () => listener();
  signal.addEventListener('abort', call, { once: true });
  return () => signal.removeEventListener('abort', call);
};
