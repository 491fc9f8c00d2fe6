import { HttpFailure } from '@vdo/base/http-failure';
import { isVdoError } from '@vdo/base/vdo-error';

/** The attempts so far. */
export interface Tried {
  readonly method: string;
  /** 1 after the first attempt. */
  readonly attempts: number;
  readonly refreshedCredentials: boolean;
}

export type Repeat =
  | { readonly kind: 'after'; readonly waitMs: number }
  | { readonly kind: 'with-new-credentials' }
  | { readonly kind: 'no' };

const maxAttempts = 10;
const maxReadRepeats = 2;
const maxWaitMs = 60_000;
/** A server that refuses repeatedly is asked less and less often, but the caller must get an answer at some time. */
const longestFactor = 8;
const maxThrottledAttempts = 6;

/**
 * Whether a failed request is sent again: if the server asks for it (Retry-After), if new credentials may help,
 * and if the connection of a read broke. Everything else is decided by the caller.
 */
export const repeatAfter = (error: unknown, tried: Tried): Repeat => {
  if (tried.attempts >= maxAttempts) return { kind: 'no' };
  if (isVdoError(error, 'KubeUnauthorized') || isFailure(error, 'tls-untrusted'))
    return tried.refreshedCredentials ? { kind: 'no' } : { kind: 'with-new-credentials' };
  if (isFailure(error, 'interrupted') && tried.method === 'GET' && tried.attempts <= maxReadRepeats)
    return { kind: 'after', waitMs: 0 };
  const askedMs = retryAfterMs(error);
  if (askedMs === undefined || tried.attempts >= maxThrottledAttempts) return { kind: 'no' };
  const waitMs = askedMs * Math.min(longestFactor, 2 ** (tried.attempts - 1));
  return { kind: 'after', waitMs: Math.min(waitMs, maxWaitMs) };
};

const isFailure = (error: unknown, kind: HttpFailure['kind']): boolean =>
  error instanceof HttpFailure && error.kind === kind;

const retryAfterMs = (error: unknown): number | undefined => {
  if (!isVdoError(error, 'KubeThrottled', 'KubeServerError')) return undefined;
  const seconds = error.details['retryAfterSeconds'];
  if (typeof seconds === 'number') return seconds * 1000;
  return error.code === 'KubeThrottled' ? 1000 : undefined;
};
