/** Notes what has to be undone even if this process ends without taking its time; the returned function forgets it again. */
export type AtExit = (undo: () => void) => () => void;

/** Undoes what is noted when the process exits, the last first. All of it is synchronous: an exiting process waits for nothing. */
export const createExitStack = (host: Pick<NodeJS.Process, 'once'>): AtExit => {
  const stack = new Set<() => void>();
  host.once('exit', () => {
    for (const undo of [...stack].reverse()) {
      try {
        undo();
      } catch {
        // Whatever cannot be undone must not keep the rest from it.
      }
    }
  });
  return (undo) => {
    const entry = () => undo();
    stack.add(entry);
    return () => void stack.delete(entry);
  };
};
