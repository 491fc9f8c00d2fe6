/** Lets at most `limit` tasks run at once; the rest wait in order. */
export const createLimit = (limit: number): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The slot passes to the next task without becoming free.
      if (next) next();
      else running--;
    }
  };
};
