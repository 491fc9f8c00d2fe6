import type { Clock } from '@vdo/base/clock';

/** What failed, per key and question: how often in a row, and until when the same question waits. */
export interface FailedAttempts {
  /** Counts a failure and returns how many there were in a row. */
  count(key: string, question: string): number;
  /** The question is not asked again before this time. */
  holdFor(key: string, question: string, delayMs: number): void;
  /** How much longer the question waits; 0 if it may be asked. */
  leftMs(key: string, question: string): number;
  /** An attempt ended well. */
  ended(key: string, question: string): void;
  /** Nothing is asked for this key any more. */
  forget(key: string): void;
  clear(): void;
}

/** A key that asks for more than this, one after the other, may ask for the earliest again without a wait. */
const maxQuestions = 64;

interface Attempts {
  readonly inARow: number;
  readonly untilMs: number;
}

export const createFailedAttempts = (clock: Pick<Clock, 'monotonicMs'>): FailedAttempts => {
  const keys = new Map<string, Map<string, Attempts>>();
  const set = (key: string, question: string, attempts: Attempts): void => {
    const questions = keys.get(key) ?? new Map<string, Attempts>();
    questions.delete(question);
    questions.set(question, attempts);
    const [earliest] = questions.keys();
    if (questions.size > maxQuestions && earliest !== undefined) questions.delete(earliest);
    keys.set(key, questions);
  };
  const get = (key: string, question: string): Attempts =>
    keys.get(key)?.get(question) ?? { inARow: 0, untilMs: Number.NEGATIVE_INFINITY };

  return {
    count: (key, question) => {
      const { inARow, untilMs } = get(key, question);
      set(key, question, { inARow: inARow + 1, untilMs });
      return inARow + 1;
    },
    holdFor: (key, question, delayMs) =>
      set(key, question, { ...get(key, question), untilMs: clock.monotonicMs() + delayMs }),
    leftMs: (key, question) => Math.max(0, get(key, question).untilMs - clock.monotonicMs()),
    ended: (key, question) => {
      const questions = keys.get(key);
      questions?.delete(question);
      if (questions?.size === 0) keys.delete(key);
    },
    forget: (key) => void keys.delete(key),
    clear: () => keys.clear(),
  };
};
