import type { Clock } from '@vdo/base/clock';

/** Passes in a row that begin when they are wanted; from there on one begins after so long. A pass is some thirty calls. */
const promptPasses = 20;
const everyMs = 60_000;

/**
 * One pace for all passes, whatever wants them: what changes all the time in many places while other things are due costs no more
 * than one trouble alone. What people write is looked at at once; it only counts.
 */
export interface PassPace {
  /** A look is wanted after that time. */
  observe(afterMs: number): void;
  /** A pass begins. */
  spend(): void;
  /** How long the next one should wait at least. */
  waitMs(): number;
  /** The work gets on: the next passes begin when they are wanted. */
  forgive(): void;
  stop(): void;
}

export const createPassPace = (clock: Pick<Clock, 'monotonicMs' | 'schedule'>, observe: () => void): PassPace => {
  const timers = new Set<() => void>();
  let spent = { passes: 0, atMs: clock.monotonicMs() };
  let isHeld = false;

  /** Passes that are not forgotten yet. */
  const passes = (): number => Math.max(0, spent.passes - (clock.monotonicMs() - spent.atMs) / everyMs);
  const waitMs = (): number => Math.ceil(Math.max(0, passes() - promptPasses + 1) * everyMs);
  const after = (ms: number, task: () => void): void => {
    const cancel = clock.schedule(() => {
      timers.delete(cancel);
      task();
    }, ms);
    timers.add(cancel);
  };
  const due = (): void => {
    // The one that is held back sees this change too.
    if (isHeld) return;
    const ms = waitMs();
    if (ms === 0) {
      observe();
      return;
    }
    isHeld = true;
    // A pass that has begun meanwhile for another reason has seen it, and counts.
    after(ms, () => {
      isHeld = false;
      due();
    });
  };
  return {
    observe: (afterMs) => after(afterMs, due),
    spend: () => {
      spent = { passes: Math.min(promptPasses, passes() + 1), atMs: clock.monotonicMs() };
    },
    waitMs,
    forgive: () => {
      spent = { passes: 0, atMs: clock.monotonicMs() };
    },
    stop: () => {
      for (const cancel of timers) cancel();
      timers.clear();
      isHeld = false;
    },
  };
};
