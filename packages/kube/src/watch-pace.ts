import type { Clock } from '@vdo/base/clock';

/** So many cycles in quick succession cause no pause: clients must notice changes although a server restarts a few times. */
const promptCycles = 5;
const firstPauseMs = 1_000;
const growth = 4;

/**
 * How long to wait before a server is followed again, so that on average this happens once per `everyMs` even if every watch is cut
 * after a few seconds. The pauses grow with each cycle, so a few outages in a row cost seconds, and only a permanent fault costs the
 * whole interval.
 */
export interface WatchPace {
  pauseMs(everyMs: number): number;
  /** A cycle in which the server answered: a list, a watch, or both. A cycle that found the server away does not count. */
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
