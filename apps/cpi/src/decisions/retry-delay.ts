/**
 * When to check a failing node again. The delay doubles with each attempt and ends at a full multiple of its period. So all
 * nodes that fail for the same reason are checked together, with one request.
 */
export const retryDelayMs = (options: {
  /** 1 after the first failure. */
  readonly attempt: number;
  readonly nowMs: number;
  readonly maxPeriodMs: number;
}): number => {
  const periodMs = Math.min(options.maxPeriodMs, 1000 * 2 ** (options.attempt - 1));
  return periodMs - (options.nowMs % periodMs);
};
