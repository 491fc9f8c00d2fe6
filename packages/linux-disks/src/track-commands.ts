import type { RunCommand } from './run-command.ts';

export interface TrackedCommands {
  readonly run: RunCommand;
  /** Resolves when none of the programs runs any more. */
  idle(): Promise<void>;
}

/** Tracks running programs, so that a stop can wait for them: mkfs is allowed to finish. */
export const trackCommands = (run: RunCommand): TrackedCommands => {
  const running = new Set<Promise<unknown>>();
  return {
    run: (command, args, options) => {
      const result = run(command, args, options);
      const ended: Promise<void> = result.then(
        () => {},
        () => {},
      );
      running.add(ended);
      void ended.then(() => running.delete(ended));
      return result;
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
