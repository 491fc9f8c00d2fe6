import { onAbort } from '@vdo/base/async/on-abort';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { backoffMs } from '@vdo/base/retry';

/**
 * Waits for all who follow one server. When it is away they fail together, and to ask one by one whether it is back would be
 * twenty times as many calls: one of them asks, by turns, and its success lets all others go on.
 */
export interface SharedBackoff {
  /** After a failure: resolves when it is time to try again; rejects when aborted. */
  wait(signal: AbortSignal): Promise<void>;
  /** Resolves after that time, or when somebody is in a hurry; rejects when aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Somebody who had failed got through. */
  recovered(): void;
  /** Nobody waits any longer, for whatever reason. */
  hurry(): void;
  /** Somebody found the server away, or with another history than the one it knew: it may have come back from a backup. */
  doubtHistory(): void;
  /** Changes with each such doubt: watches from before are listed again. */
  history(): number;
  /** In the long run a watch is begun no more often. */
  watchEveryMs(): number;
}

export interface SharedBackoffOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly watchEveryMs: () => number;
}

/** Whatever becomes of the others, each tries by itself after so long. */
const longestMs = 10 * 60_000;
const turn = { initialMs: 800, maxMs: 30_000 } as const;

/** Those who wait, first come first. */
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

  /** The one that has waited longest has the next turn, so that one that fails for a reason of its own keeps nobody from asking. */
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
