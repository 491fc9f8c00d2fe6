/** One operation at a time per key, in the order of the calls. */
export interface KeyedLock {
  run<T>(key: string, operation: () => Promise<T>): Promise<T>;
  /** The same, but a caller whose operation (an equal `fingerprint`) already waits or runs shares its outcome. */
  join<T>(key: string, fingerprint: string, operation: () => Promise<T>): Promise<T>;
}

export const createKeyedLock = (): KeyedLock => {
  const tails = new Map<string, Promise<unknown>>();
  const pending = new Map<string, Promise<unknown>>();

  const queue = async <T>(key: string, operation: () => Promise<T>): Promise<T> => {
    const before = tails.get(key) ?? Promise.resolve();
    const mine = before.then(operation, operation);
    tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === mine) tails.delete(key);
    }
  };

  return {
    run: queue,
    join: <T>(key: string, fingerprint: string, operation: () => Promise<T>): Promise<T> => {
      const id = JSON.stringify([key, fingerprint]);
      // The fingerprint stands for the operation, and therefore for the type of its outcome.
      const same = pending.get(id) as Promise<T> | undefined;
      if (same) return same;
      const outcome = queue(key, operation).finally(() => pending.delete(id));
      pending.set(id, outcome);
      return outcome;
    },
  };
};
