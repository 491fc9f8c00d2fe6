/**
 * When to look at a failing node again. The delay doubles with each attempt and ends at a full multiple of its period, so
 * that all nodes which fail for the same reason come back together and cost one question.
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
