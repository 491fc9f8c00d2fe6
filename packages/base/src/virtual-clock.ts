import type { Clock } from './clock.ts';

interface Timer {
  readonly id: number;
  readonly atMs: number;
  readonly task: () => void;
}

export interface VirtualClock extends Clock {
  /** Advances the time, runs the timers that expire in order, and lets promises settle between them. */
  advance(ms: number): Promise<void>;
  /** The number of waiting timers. */
  pending(): number;
}

/** A clock that stands still until a test advances it. Deterministic: timers for the same time run in the order in which they were scheduled. */
export const createVirtualClock = (startMs = Date.UTC(2026, 0, 1)): VirtualClock => {
  let elapsedMs = 0;
  let nextId = 0;
  const timers = new Map<number, Timer>();

  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const nextDue = (limitMs: number): Timer | undefined => {
    let next: Timer | undefined;
    // In the order of scheduling, so that of equal times the first one stays.
    for (const timer of timers.values())
      if (timer.atMs <= limitMs && (next === undefined || timer.atMs < next.atMs)) next = timer;
    return next;
  };

  return {
    now: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    schedule: (task, delayMs) => {
      const id = nextId++;
      // Whole milliseconds, as in Node: the sum may lose the smallest fraction, and a caller that waits for the rest of a period would
      // wait forever.
      timers.set(id, { id, atMs: elapsedMs + Math.max(0, Math.ceil(delayMs)), task });
      return () => {
        timers.delete(id);
      };
    },
    advance: async (ms) => {
      const limitMs = elapsedMs + ms;
      await settle();
      for (let timer = nextDue(limitMs); timer; timer = nextDue(limitMs)) {
        elapsedMs = timer.atMs;
        timers.delete(timer.id);
        timer.task();
        await settle();
      }
      elapsedMs = limitMs;
      await settle();
    },
    pending: () => timers.size,
  };
};
