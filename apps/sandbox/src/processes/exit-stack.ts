/** Registers cleanup for the case that this process exits early; the returned function unregisters it. */
export type AtExit = (undo: () => void) => () => void;

/** Runs the registered cleanup when the process exits, the last first. It must be synchronous: an exiting process does not wait. */
export const createExitStack = (host: Pick<NodeJS.Process, 'once'>): AtExit => {
  const stack = new Set<() => void>();
  host.once('exit', () => {
    for (const undo of [...stack].reverse()) {
      try {
        undo();
      } catch {
        // A failed cleanup must not prevent the others.
      }
    }
  });
  return (undo) => {
    const entry = () => undo();
    stack.add(entry);
    return () => void stack.delete(entry);
  };
};
