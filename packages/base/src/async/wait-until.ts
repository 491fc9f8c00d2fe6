import { type Clock, sleep } from '../clock.ts';
import { VdoError } from '../vdo-error.ts';

export interface WaitOptions {
  /** Completes "waited in vain for …". */
  readonly what: string;
  readonly remedy: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Default 100. */
  readonly everyMs?: number;
  readonly signal?: AbortSignal;
}

/** Asks until there is a result; throws DeadlineExceeded with the remedy if there is none in time. */
export const waitUntil = async <T>(ask: () => Promise<T | undefined | false>, options: WaitOptions): Promise<T> => {
  const { clock, signal, timeoutMs, everyMs = 100 } = options;
  const startedMs = clock.monotonicMs();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (clock.monotonicMs() - startedMs > timeoutMs) {
      throw new VdoError({
        code: 'DeadlineExceeded',
        message: `timed out after ${Math.round(timeoutMs / 1000)} s waiting for ${options.what}`,
        remedy: options.remedy,
      });
    }
    await sleep(clock, everyMs, signal ? { signal } : {});
  }
};
