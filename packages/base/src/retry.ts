import { type Clock, sleep } from './clock.ts';
import type { Random } from './random.ts';
import { isVdoError } from './vdo-error.ts';

export interface BackoffOptions {
  /** Default 200 ms. */
  readonly initialMs?: number;
  /** Default 30 s. */
  readonly maxMs?: number;
  /** Default 2. */
  readonly factor?: number;
}

/** The delay before attempt `attempt` (1 = first retry): exponential, with a maximum, and jitter in its upper half. */
export const backoffMs = (attempt: number, random: Random, options: BackoffOptions = {}): number => {
  const { initialMs = 200, maxMs = 30_000, factor = 2 } = options;
  const ceiling = Math.min(maxMs, initialMs * factor ** (attempt - 1));
  return ceiling / 2 + random.next() * (ceiling / 2);
};

export interface RetryOptions extends BackoffOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Maximum number of attempts. Default 5. */
  readonly attempts?: number;
  /** Which errors are retried. Default: VdoErrors that advise `backoff`. */
  readonly retryable?: (error: unknown) => boolean;
  readonly signal?: AbortSignal;
}

/** Repeats an idempotent operation. Never call it for one that is not, and never after an abort. */
export const retry = async <T>(operation: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> => {
  const { attempts = 5, retryable = (error) => isVdoError(error) && error.retry === 'backoff' } = options;
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    try {
      return await operation(attempt);
    } catch (error) {
      if (attempt >= attempts || options.signal?.aborted || !retryable(error)) throw error;
    }
    await sleep(
      options.clock,
      backoffMs(attempt, options.random, options),
      options.signal ? { signal: options.signal } : {},
    );
  }
};
