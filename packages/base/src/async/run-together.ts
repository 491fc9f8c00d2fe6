import { allowManyListeners } from './many-listeners.ts';
import { onAbort } from './on-abort.ts';

/**
 * Runs tasks until the signal aborts or one of them fails; then stops all of them and waits for them. Rejects with the first failure that
 * was not caused by that stop.
 */
export const runTogether = async (
  signal: AbortSignal,
  tasks: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> => {
  const stop = new AbortController();
  allowManyListeners(stop.signal);
  const stopListening = onAbort(signal, () => stop.abort(signal.reason));
  const failures: unknown[] = [];
  const guarded = tasks.map(async (task) => {
    try {
      await task(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) failures.push(error);
      stop.abort(error);
    }
  });
  await Promise.all(guarded);
  stopListening();
  if (failures.length > 0) throw failures[0];
};
