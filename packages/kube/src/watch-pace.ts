import type { Clock } from '@vdo/base/clock';

/** So many cycles in quick succession cost no pause: a server that restarts a few times must not leave its clients blind. */
const promptCycles = 5;
const firstPauseMs = 1_000;
const growth = 4;

/**
 * How long to wait before a server is followed again, so that in the long run it happens once per `everyMs` even if every watch is cut
 * after a few seconds. The pauses grow with each cycle, so that a few outages in a row cost seconds and only a lasting fault costs the
 * whole interval.
 */
export interface WatchPace {
  pauseMs(everyMs: number): number;
  /** A cycle in which the server answered: a list, a watch, or both. One that found the server away costs nothing. */
  spend(everyMs: number): void;
}

export const createWatchPace = (clock: Clock): WatchPace => {
  let level = 0;
  let atMs = clock.monotonicMs();
  const drain = (everyMs: number): void => {
    const nowMs = clock.monotonicMs();
    level = Math.max(0, level - (nowMs - atMs) / everyMs);
    atMs = nowMs;
  };
  return {
    pauseMs: (everyMs) => {
      drain(everyMs);
      const above = level - promptCycles;
      return above <= 0 ? 0 : Math.min(everyMs, firstPauseMs * growth ** above);
    },
    spend: (everyMs) => {
      drain(everyMs);
      level += 1;
    },
  };
};
