import type { Clock } from '@vdo/base/clock';
import { isVdoError } from '@vdo/base/vdo-error';

/**
 * How long a long poll may be silent. A proxy, load balancer or firewall in between may end a request earlier than vCenter answers it: each
 * time the watch would begin anew and read everything again. Kept over all streams of a watch, so that this happens once or twice.
 */
export interface PollLength {
  seconds(): number;
  /** A poll of `seconds()` ended with an error after this time. */
  failed(error: unknown, silentMs: number): void;
}

/** What ends sooner is no poll that was given up: vCenter or the network failed. */
const shortestMs = 5_000;
/** Timers of proxies are exact; a poll that ends by accident does not end at the same time twice. */
const sameMs = 2_000;
const margin = 0.8;
/** For polls that nobody answers: an outage looks the same, and must not make calls many for the rest of the day. */
const leastWithoutReply = 60;

/** `maxSeconds`: if nothing in between gives up earlier. */
export const createPollLength = (maxSeconds = 60): PollLength => {
  let seconds = maxSeconds;
  let beforeMs = Number.NEGATIVE_INFINITY;
  return {
    seconds: () => seconds,
    failed: (error, silentMs) => {
      if (!isVdoError(error) || error.retry !== 'backoff' || silentMs < shortestMs) return;
      const status = error.details['status'];
      const saysSo = status === 408 || status === 504;
      const again = Math.abs(silentMs - beforeMs) <= sameMs;
      beforeMs = silentMs;
      if (error.code === 'DeadlineExceeded')
        seconds = Math.max(Math.floor(seconds / 2), Math.min(leastWithoutReply, maxSeconds));
      else if (saysSo || again) seconds = Math.max(Math.min(seconds, Math.floor((silentMs / 1000) * margin)), 1);
    },
  };
};

/** Carries out one poll, and learns from how it ends. */
export const pollOnce = async <T>(
  length: PollLength,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  poll: (seconds: number) => Promise<T>,
): Promise<T> => {
  const startMs = clock.monotonicMs();
  try {
    return await poll(length.seconds());
  } catch (error) {
    if (!signal.aborted) length.failed(error, clock.monotonicMs() - startMs);
    throw error;
  }
};
