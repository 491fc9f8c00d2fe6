import { type Clock, sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';

export interface WaitOptions {
  /** Completes "waited in vain for …". */
  readonly what: string;
  readonly remedy: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const everyMs = 100;

/** Asks until there is an answer; a DeadlineExceeded with the remedy if there is none in time. */
export const waitUntil = async <T>(ask: () => Promise<T | undefined | false>, options: WaitOptions): Promise<T> => {
  const { clock, signal, timeoutMs } = options;
  const startedMs = clock.monotonicMs();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (clock.monotonicMs() - startedMs > timeoutMs) {
      throw new VdoError({
        code: 'DeadlineExceeded',
        message: `waited ${Math.round(timeoutMs / 1000)} s in vain for ${options.what}`,
        remedy: options.remedy,
      });
    }
    await sleep(clock, everyMs, { signal });
  }
};
