/** Runs one operation per key at a time; a caller that asks for a running one shares its outcome. */
export interface SingleFlight<T> {
  run(
    key: string,
    operation: () => Promise<T>,
    /** For operations of one key that differ: one that differs from the running one is refused. */
    same?: { readonly fingerprint: string; readonly onOther: () => Error },
  ): Promise<T>;
  isRunning(key: string): boolean;
}

export const createSingleFlight = <T>(): SingleFlight<T> => {
  const running = new Map<string, { readonly fingerprint: string | undefined; readonly outcome: Promise<T> }>();
  return {
    isRunning: (key) => running.has(key),
    run: async (key, operation, same) => {
      const current = running.get(key);
      if (current && same && current.fingerprint !== same.fingerprint) throw same.onOther();
      if (current) return current.outcome;
      const outcome = operation().finally(() => running.delete(key));
      running.set(key, { fingerprint: same?.fingerprint, outcome });
      return outcome;
    },
  };
};
