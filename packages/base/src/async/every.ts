import { type Clock, sleep } from '../clock.ts';

export interface EveryOptions {
  readonly clock: Clock;
  /** From the end of one run to the start of the next. */
  readonly periodMs: number;
  /** Default: the first run starts at once. */
  readonly firstAfterMs?: number;
}

/** Runs `task` again and again until the signal is aborted. Waits for a run in progress; a run that fails ends the loop. */
export const every = async (
  task: () => unknown | Promise<unknown>,
  { clock, periodMs, firstAfterMs = 0 }: EveryOptions,
  signal: AbortSignal,
): Promise<void> => {
  const pause = (ms: number) => sleep(clock, ms, { signal }).catch(() => undefined);
  if (firstAfterMs > 0) await pause(firstAfterMs);
  while (!signal.aborted) {
    await task();
    await pause(periodMs);
  }
};
