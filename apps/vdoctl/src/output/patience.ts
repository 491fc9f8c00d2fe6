import type { CliContext } from '../cli/context.ts';
import { createProgress } from './progress.ts';

/** Prints what a command waits for if a server is slow. */
export interface Patience {
  waitsFor(what: string): void;
  /** Call when a request is sent; call the returned function with the result when it ends. */
  onRequest(): (ended: 'answered' | 'failed') => void;
  end(): void;
}

/** Nothing is printed before this time, and only on a terminal. */
const quietMs = 1_000;
const tickMs = 500;

export const createPatience = (context: Pick<CliContext, 'terminal' | 'env' | 'clock'>): Patience => {
  const { clock, terminal } = context;
  const progress = createProgress(context, { elsewhere: 'silent' });
  let what = 'the cluster';
  let sinceMs: number | undefined;
  let cancel: (() => void) | undefined;
  const end = (): void => {
    cancel?.();
    cancel = undefined;
    sinceMs = undefined;
    progress.end();
  };
  const tick = (): void => {
    if (sinceMs === undefined) return;
    const waitedMs = clock.monotonicMs() - sinceMs;
    if (waitedMs >= quietMs) progress.update(`waiting for ${what}, ${Math.floor(waitedMs / 1000)}s`);
    cancel = clock.schedule(tick, tickMs);
  };
  return {
    waitsFor: (name) => {
      what = name;
    },
    onRequest: () => {
      if (terminal.interactive && sinceMs === undefined) {
        sinceMs = clock.monotonicMs();
        cancel = clock.schedule(tick, quietMs);
      }
      // A failed request is sent again, or ends the command.
      return (ended) => {
        if (ended === 'answered') end();
      };
    },
    end,
  };
};
