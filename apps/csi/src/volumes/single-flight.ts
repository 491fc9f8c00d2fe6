/** Runs one operation per key at a time; who asks for a running one shares its outcome. */
export interface SingleFlight<T> {
  /** `fingerprint` tells whether the running operation is the one asked for; a different one gives `onOther()`. */
  run(options: {
    readonly key: string;
    readonly fingerprint: string;
    readonly operation: () => Promise<T>;
    readonly onOther: () => Error;
  }): Promise<T>;
  isRunning(key: string): boolean;
}

export const createSingleFlight = <T>(): SingleFlight<T> => {
  const running = new Map<string, { readonly fingerprint: string; readonly outcome: Promise<T> }>();
  return {
    isRunning: (key) => running.has(key),
    run: async ({ key, fingerprint, operation, onOther }) => {
      const current = running.get(key);
      if (current) {
        if (current.fingerprint !== fingerprint) throw onOther();
        return current.outcome;
      }
      const outcome = operation().finally(() => running.delete(key));
      running.set(key, { fingerprint, outcome });
      return outcome;
    },
  };
};

/** The promise's outcome, or the signal's reason as soon as it is aborted; the work behind the promise goes on. */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
};
