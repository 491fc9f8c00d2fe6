import { onAbort } from '@vdo/base/async/on-abort';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { backoffMs } from '@vdo/base/retry';

/**
 * Waits for all clients of one server. When it is away they all fail. If each asked separately whether it is back, there would be
 * twenty times as many calls: instead they take turns, and the success of one lets all others continue.
 */
export interface SharedBackoff {
  /** After a failure: resolves when it is time to try again; rejects when aborted. */
  wait(signal: AbortSignal): Promise<void>;
  /** Resolves after that time, or when a client is in a hurry; rejects when aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** A client that had failed has succeeded. */
  recovered(): void;
  /** Ends all waits, for whatever reason. */
  hurry(): void;
  /** A client found the server away, or with another history than the known one: it may have been restored from a backup. */
  doubtHistory(): void;
  /** Changes each time that happens: watches from before are listed again. */
  history(): number;
  /** On average, watches are not started more often than this. */
  watchEveryMs(): number;
}

export interface SharedBackoffOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly watchEveryMs: () => number;
}

/** Independent of the others, each client tries after this time. */
const longestMs = 10 * 60_000;
const turn = { initialMs: 800, maxMs: 30_000 } as const;

/** The waiting clients, first in, first out. */
const createWaitingList = (clock: Clock) => {
  const waiting: (() => void)[] = [];
  return {
    isEmpty: () => waiting.length === 0,
    callFirst: () => waiting[0]?.(),
    callAll: () => {
      for (const go of [...waiting]) go();
    },
    enter: (longestWaitMs: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const leave = () => {
          cancel();
          stopListening();
          waiting.splice(waiting.indexOf(go), 1);
        };
        const go = () => {
          leave();
          resolve();
        };
        const stopListening = onAbort(signal, () => {
          leave();
          reject(signal.reason);
        });
        const cancel = clock.schedule(go, longestWaitMs);
        waiting.push(go);
      }),
  };
};

export const createSharedBackoff = ({ clock, random, watchEveryMs }: SharedBackoffOptions): SharedBackoff => {
  const failed = createWaitingList(clock);
  const paused = createWaitingList(clock);
  let triesInARow = 0;
  let history = 0;
  let cancelTurn: (() => void) | undefined;

  /** The client that has waited longest has the next turn, so that one that fails for a reason of its own does not block the others. */
  const planTurn = (): void => {
    if (cancelTurn || failed.isEmpty()) return;
    triesInARow += 1;
    cancelTurn = clock.schedule(
      () => {
        cancelTurn = undefined;
        failed.callFirst();
        planTurn();
      },
      backoffMs(triesInARow, random, turn),
    );
  };
  const recovered = () => {
    triesInARow = 0;
    cancelTurn?.();
    cancelTurn = undefined;
    failed.callAll();
  };

  return {
    wait: (signal) => {
      const waiting = failed.enter(longestMs * (0.75 + random.next() / 2), signal);
      planTurn();
      return waiting;
    },
    pause: paused.enter,
    recovered,
    hurry: () => {
      recovered();
      paused.callAll();
    },
    doubtHistory: () => {
      history += 1;
    },
    history: () => history,
    watchEveryMs,
  };
};
