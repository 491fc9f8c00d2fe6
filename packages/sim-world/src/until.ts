import type { VirtualClock } from '@vdo/base/virtual-clock';

export interface UntilOptions {
  /** Of virtual time. Default five minutes. */
  readonly withinMs?: number;
  /** Told with the failure. Default: nothing. */
  readonly tell?: () => Promise<string>;
}

export type Until = <T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  options?: UntilOptions,
) => Promise<T>;

const stepMs = 100;

/** Lets virtual time pass until `check` gives something. */
export const createUntil =
  (clock: VirtualClock): Until =>
  async (what, check, { withinMs = 300_000, tell } = {}) => {
    for (let waitedMs = 0; waitedMs < withinMs; waitedMs += stepMs) {
      const value = await check();
      if (value !== undefined && value !== false) return value;
      await clock.advance(stepMs);
    }
    throw new Error(`never happened within ${withinMs / 1000} s: ${what}${tell ? `\n${await tell()}` : ''}`);
  };
