import { shortened } from './cut-text.ts';
import { type ErrorCode, type ErrorEffect, errorCodes, type RetryAdvice } from './error-codes.ts';

export interface VdoErrorOptions {
  readonly code: ErrorCode;
  /** What happened to which object: the observed and the expected value. One sentence, without a full stop. */
  readonly message: string;
  /** The exact edit or command that helps. */
  readonly remedy: string;
  /** Default: the advice of the code. */
  readonly retry?: RetryAdvice;
  /** Default: the effect of the code. */
  readonly effect?: ErrorEffect;
  readonly cause?: unknown;
  /** Facts for logs and tests; never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A message contains names that users chose, of any length. A longer text helps nobody, and is too long for a gRPC status. */
const longestMessage = 8_192;

/**
 * The only error type that leaves a package: it says what happened, what to do, whether a retry can help, and whether something may
 * have been done nevertheless.
 */
export class VdoError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string;
  readonly retry: RetryAdvice;
  readonly effect: ErrorEffect;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(options: VdoErrorOptions) {
    super(
      shortened(options.message, longestMessage),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'VdoError';
    this.code = options.code;
    this.remedy = options.remedy;
    this.retry = options.retry ?? errorCodes[options.code].retry;
    this.effect = options.effect ?? errorCodes[options.code].effect;
    this.details = options.details ?? {};
  }
}

/** True for a VdoError, and only of the given codes when some are named. */
export const isVdoError = (error: unknown, ...codes: readonly ErrorCode[]): error is VdoError =>
  error instanceof VdoError && (codes.length === 0 || codes.includes(error.code));

/** Wraps an error that no package translated. Such an error is a defect of this project, and says so. */
export const toVdoError = (error: unknown): VdoError => {
  if (error instanceof VdoError) return error;
  if (error instanceof Error && error.name === 'AbortError') {
    return new VdoError({
      code: 'Cancelled',
      message: 'the operation was cancelled',
      remedy: 'No action needed: the program is stopping or the caller cancelled.',
      cause: error,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new VdoError({
    code: 'Internal',
    message: `unexpected error: ${message}`,
    remedy: 'This is a defect of VDO. Collect the logs and report it; the operation is retried automatically.',
    cause: error,
  });
};

/** Whether the call that failed with `error` had an effect. */
export const effectOf = (error: unknown): ErrorEffect => toVdoError(error).effect;
