import type { Clock } from '@vdo/base/clock';

/** How many passes may follow each other without delay, and the delay after that. A pass takes about 30 calls. */
const promptPasses = 20;
/** Of those, how many may be looks that nothing has asked for: several faults, each looked at again in its own rhythm, cost no more than one. */
const promptLooks = 8;
const everyMs = 60_000;

/**
 * One rate limit for all passes, whatever requests them: many objects that change all the time cost no more
 * than one. Changes by users start a pass at once; they only count towards the limit.
 */
export interface PassPace {
  /** A pass is requested after that time. */
  observe(afterMs: number): void;
  /** A pass begins. */
  spend(): void;
  /** The minimum delay of the next pass. */
  waitMs(): number;
  /** The same for a pass that nothing asks for but the time since the last one. */
  lookWaitMs(): number;
  /** There was progress: the next passes begin without delay. */
  forgive(): void;
  stop(): void;
}

export const createPassPace = (clock: Pick<Clock, 'monotonicMs' | 'schedule'>, observe: () => void): PassPace => {
  const timers = new Set<() => void>();
  let spent = { passes: 0, atMs: clock.monotonicMs() };
  let isHeld = false;

  /** Passes that still count. */
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
    // The delayed pass sees this change too.
    if (isHeld) return;
    const ms = waitMs();
    if (ms === 0) {
      observe();
      return;
    }
    isHeld = true;
    // A pass that began meanwhile for another reason has seen it, and counts.
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
    lookWaitMs: () => (passes() < promptLooks ? 0 : everyMs),
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
