import type { Clock } from '@vdo/base/clock';
import { isVdoError } from '@vdo/base/vdo-error';

/**
 * How long a long poll may last without a reply. A proxy, load balancer or firewall may end a request before vCenter answers it: the watch
 * would then start again and read everything each time. This is kept for all streams of a watch, so that it happens only once or twice.
 */
export interface PollLength {
  seconds(): number;
  /** Reports that a poll of `seconds()` ended with an error after this time. */
  failed(error: unknown, silentMs: number): void;
}

/** A poll that ends sooner was not ended by a timeout: vCenter or the network failed. */
const shortestMs = 5_000;
/** Timeouts of proxies are exact; a poll that fails for another reason does not fail twice after the same time. */
const sameMs = 2_000;
const margin = 0.8;
/** Lower limit, because an outage looks the same and must not cause many short polls for the rest of the day. */
const leastWithoutReply = 60;

/** `maxSeconds`: used if no proxy ends polls earlier. */
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

/** Runs one poll, and learns from its end. */
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
