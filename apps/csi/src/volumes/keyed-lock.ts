/** One at a time per key, in the order they came. */
export interface KeyedLock {
  run<T>(key: string, operation: () => Promise<T>): Promise<T>;
}

export const createKeyedLock = (): KeyedLock => {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run: async (key, operation) => {
      const before = tails.get(key) ?? Promise.resolve();
      const mine = before.then(operation, operation);
      tails.set(key, mine);
      try {
        return await mine;
      } finally {
        if (tails.get(key) === mine) tails.delete(key);
      }
    },
  };
};
